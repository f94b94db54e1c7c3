#include "source/syntax.hpp"

#include "support/catch.hpp"

using namespace warpgrade::source;

namespace {

// An expression with all of its brackets: "(a + (b * c))".
std::string shape(const Tree& tree, NodeId node) {
    const Node& made = tree[node];
    const auto child = [&](std::size_t n) { return shape(tree, child_of(tree, node, n)); };
    std::string rest;
    for (NodeId other = made.child == no_node ? no_node : tree[made.child].next; other != no_node;
         other = tree[other].next)
        rest += (rest.empty() ? "" : ", ") + shape(tree, other);
    switch (made.kind) {
        case NodeKind::missing: return "?";
        case NodeKind::parenthesised: return child(0);
        case NodeKind::binary:
        case NodeKind::assignment: return "(" + child(0) + " " + std::string(made.word) + " " + child(1) + ")";
        case NodeKind::conditional: return "(" + child(0) + " ? " + child(1) + " : " + child(2) + ")";
        case NodeKind::unary: return "(" + std::string(made.word) + child(0) + ")";
        case NodeKind::postfix: return "(" + child(0) + std::string(made.word) + ")";
        case NodeKind::cast: return "<" + child(0) + ">" + child(1);
        case NodeKind::call: return child(0) + std::string(made.word) + rest + (made.word == "{" ? "}" : ")");
        case NodeKind::subscript: return child(0) + "[" + rest + "]";
        case NodeKind::member: return child(0) + "." + std::string(made.word);
        case NodeKind::arrow: return child(0) + "->" + std::string(made.word);
        default: return std::string(text_of(tree, node));
    }
}

// Of the first statement in a function.
std::string expression(const std::string& text) {
    const Tree tree = parse("void f() {\n" + text + ";\n}");
    const NodeId body = child_of(tree, child_of(tree, tree.root), 1);
    const NodeId statement = child_of(tree, body);
    return tree[statement].kind == NodeKind::expression_statement ? shape(tree, child_of(tree, statement))
                                                                  : "no expression";
}

NodeKind statement(const std::string& text) {
    const Tree tree = parse("void f() {\n" + text + "\n}");
    return tree[child_of(tree, child_of(tree, child_of(tree, tree.root), 1))].kind;
}

std::vector<NodeKind> kinds(const std::string& text) {
    const Tree tree = parse(text);
    std::vector<NodeKind> out;
    for (const NodeId node : children_of(tree, tree.root)) out.push_back(tree[node].kind);
    return out;
}
using Kinds = std::vector<NodeKind>;

}  // namespace

TEST_CASE("syntax: the precedence of operators") {
    CHECK(expression("a + b * c - d") == "((a + (b * c)) - d)");
    CHECK(expression("a = b += c ? d : e, f") == "((a = (b += (c ? d : e))) , f)");
    CHECK(expression("a << 1 + b < c && d == e || !f") == "((((a << (1 + b)) < c) && (d == e)) || (!f))");
    CHECK(expression("a >> b >= c") == "((a >> b) >= c)");
    CHECK(expression("a >>= b > c") == "(a >>= (b > c))");
    CHECK(expression("x & y < n") == "(x & (y < n))");
    CHECK(expression("-a[i].x++ * *p") == "((-(a[i].x++)) * (*p))");
    CHECK(expression("p->q[1](2, 3)") == "p->q[1](2, 3)");
}

TEST_CASE("syntax: casts and templates") {
    CHECK(expression("(float)a + b") == "(<float>a + b)");
    CHECK(expression("(unsigned long long)(a + b) * c") == "(<unsigned long long>(a + b) * c)");
    CHECK(expression("(T*)p + 1") == "(<T*>p + 1)");
    CHECK(expression("(a) - b") == "(a - b)");
    CHECK(expression("(T)a") == "<T>a");
    CHECK(expression("static_cast<size_t>(blockIdx.x) * 2") == "(<size_t>blockIdx.x * 2)");
    CHECK(expression("*reinterpret_cast<float4*>(&a[i]) = v") == "((*<float4*>(&a[i])) = v)");
    CHECK(expression("int(a) + float4{1, 2}.x") == "(<int>a + float4{1, 2}.x)");
    CHECK(expression("std::max<int>(a, b) > c") == "(std::max<int>(a, b) > c)");
    CHECK(expression("sum<float, 4>(a)") == "sum<float, 4>(a)");
    CHECK(expression("f(a < b, c > (d))") == "f((a < b), (c > d))");
    CHECK(expression("i < n && j > (m)") == "((i < n) && (j > m))");
    CHECK(expression("sizeof(float) * n") == "((sizeoffloat) * n)");
}

TEST_CASE("syntax: launches") {
    const Tree tree = parse("void f() { k<N, float><<<dim3(1, 2), n >> 1, 0, s>>>(a, b + 1); }");
    const NodeId statement = child_of(tree, child_of(tree, child_of(tree, tree.root), 1));
    const NodeId launch = child_of(tree, statement);
    REQUIRE(tree[launch].kind == NodeKind::launch);
    CHECK(tree[child_of(tree, launch)].word == "k");
    const NodeId settings = child_of(tree, launch, 1);
    CHECK(children_of(tree, settings).size() == 4);
    CHECK(shape(tree, child_of(tree, settings, 1)) == "(n >> 1)");
    CHECK(children_of(tree, child_of(tree, launch, 2)).size() == 2);
}

TEST_CASE("syntax: declarations and what looks like them") {
    CHECK(statement("float* p = q;") == NodeKind::declaration);
    CHECK(statement("T * p = q;") == NodeKind::declaration);
    CHECK(statement("a * b + c;") == NodeKind::expression_statement);
    CHECK(statement("a[i] * b;") == NodeKind::expression_statement);
    CHECK(statement("dim3 grid(x, y), block{32, 8};") == NodeKind::declaration);
    CHECK(statement("std::vector<std::vector<int>> v;") == NodeKind::declaration);
    CHECK(statement("__shared__ T tile[N][N + 1];") == NodeKind::declaration);
    CHECK(statement("auto [a, b] = c;") == NodeKind::declaration);
    CHECK(statement("f(a);") == NodeKind::expression_statement);
    CHECK(statement("return a;") == NodeKind::return_statement);
    CHECK(statement("again: a;") == NodeKind::label);
    CHECK(statement("for (auto x : v) f(x);") == NodeKind::range_for);
    CHECK(statement("struct A { int b; } c;") == NodeKind::record);
}

TEST_CASE("syntax: items of a file") {
    CHECK(kinds("int f(int a); dim3 g(1, 2); struct A { int b(); }; enum { B, C = 3 };") ==
          Kinds{NodeKind::function, NodeKind::declaration, NodeKind::record, NodeKind::enumeration});
    CHECK(kinds("namespace { int a; } extern \"C\" void f() {} template <class T> struct S {};") ==
          Kinds{NodeKind::name_space, NodeKind::function, NodeKind::record});
    CHECK(kinds("using A = int; static_assert(1 == 1, \"\"); constexpr int B = 1;") ==
          Kinds{NodeKind::other, NodeKind::other, NodeKind::declaration});
    CHECK(kinds("template <int N> __global__ void __launch_bounds__(256) k(float (&a)[N]) { }") ==
          Kinds{NodeKind::function});
    // Behind a bracket that closed a function too early.
    CHECK(kinds("for (int i = 0; i < n; ++i) a[i] = 0;\nreturn;\n}") ==
          Kinds{NodeKind::for_statement, NodeKind::return_statement});
}

TEST_CASE("syntax: text that is not a program") {
    CHECK(expression("a + ") == "(a + ?)");
    CHECK(expression("a[i") == "a[i]");
    CHECK(expression("f(a, , b)") == "f(a, ?, b)");
    CHECK(statement("if (a b;") == NodeKind::if_statement);
    CHECK(statement("for (int i = 0; i < n; ++i {\n a; }") == NodeKind::for_statement);
    CHECK(statement("int a = 3\n int b = 4;") == NodeKind::declaration);
    CHECK(kinds("__global__ void k(float* a) {\n    a[0] = \n}\nvoid g() {}") ==
          Kinds{NodeKind::function, NodeKind::function});
    CHECK(kinds("__global__ void k(float* a {\n    a[0] = 1;\n}\nvoid g() {}") ==
          Kinds{NodeKind::function, NodeKind::function});
    CHECK(kinds("") == Kinds{});
}

TEST_CASE("syntax: brackets a hundred thousand deep, and a sum of as many terms", "[eighth_3]") {
    for (const std::string piece : {"(", "[", "{", "a + ", "- ", "a ? ", "a = ", "if (a) ", "f<", "a < ", "<<<",
                                    "for (", ")", "}", "[](){", "else if (a) ", "(a)"}) {
        CAPTURE(piece);
        std::string text = "void f() { ";
        for (int i = 0; i < 100000; ++i) text += piece;
        const Tree tree = parse(text);
        CHECK(tree.nodes.size() < 2000000);
    }
}
