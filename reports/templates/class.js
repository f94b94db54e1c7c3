"use strict";
// The table of students: sorted by its heads, searched and filtered. Without this script it is a plain table.
(() => {
  const table = document.getElementById("roll"), body = table.tBodies[0], rows = [...body.rows];
  const [search, section, kind] = ["search", "section", "kind"].map(id => document.getElementById(id));
  const said = document.getElementById("shown");
  const plain = text => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const texts = new Map(rows.map(row => [row, plain(row.textContent)]));
  let order = "";

  const filter = () => {
    const words = plain(search.value).split(/\s+/);
    let shown = 0;
    for (const row of rows) {
      const fits = words.every(word => texts.get(row).includes(word)) &&
        (!section || !section.value || row.dataset.section.split("; ").includes(section.value)) &&
        (!kind.value || row.dataset.kinds.split(" ").includes(kind.value));
      row.hidden = !fits;
      shown += fits;
    }
    said.textContent = `${shown} of ${rows.length} students shown${order}`;
  };

  const value = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.value ?? cell.textContent.trim();
  };
  const compare = (a, b) => a.localeCompare(b, undefined, {numeric: true, sensitivity: "base"});
  const sort = (head, column) => {
    const direction = head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending", sign = direction === "ascending" ? 1 : -1;
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", direction);
    const isNumber = head.classList.contains("num");
    const known = rows.map(row => {
      const text = value(row, column), number = parseFloat(text);
      return {row, text, number, isLast: isNumber ? Number.isNaN(number) : text === ""};
    });
    // What has no value is last in both directions.
    known.sort((a, b) => a.isLast - b.isLast || (a.isLast ? 0 : sign * (isNumber ? a.number - b.number : compare(a.text, b.text))));
    body.append(...known.map(one => one.row));
    order = `, by ${head.textContent.trim()}, ${direction}`;
    filter();
  };

  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sort(head, column));
  });
  for (const one of [search, section, kind]) one?.addEventListener("input", filter);
  document.getElementById("filter").hidden = false;
  filter();
})();
