// Elements. Text goes in as text only, and style by rules and attributes: the page's policy allows nothing else.

/** @param {string} tag @param {Record<string, any>} [attributes] `on...`: a listener @param {...(Node|string)} children */
export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** The same in SVG. */
export function s(tag, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/** @param {string} id @returns {any} */
export function byId(id) {
  return document.getElementById(id);
}

/** @param {Element} parent @param {...(Node|string)} children */
export function show(parent, ...children) {
  parent.replaceChildren(...children);
}

/** Options of a select; it stays as it is where they do not change. @param {any} select @param {string[]} texts
 * @param {number} chosen */
export function offer(select, texts, chosen) {
  if (texts.join("\n") !== [...select.options].map(option => option.text).join("\n"))
    show(select, ...texts.map((text, value) => h("option", {value}, text)));
  select.selectedIndex = chosen;
  select.disabled = texts.length < 2;
}

/** @param {string[]} heads @param {(string|number)[][]} rows @param {string} caption */
export function table(caption, heads, rows) {
  const row = (cells, name) => h("tr", {}, ...cells.map((cell, i) =>
    name === "th" || i === 0 ? h("th", {scope: name === "th" ? "col" : "row"}, String(cell)) : h("td", {}, String(cell))));
  return h("table", {}, h("caption", {}, caption), h("thead", {}, row(heads, "th")),
    h("tbody", {}, ...rows.map(cells => row(cells, "td"))));
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : String(value));
  }
  element.append(...children);
  return element;
}
