"""Prints what Python's own parser says of files, a line of JSON for each.

Names of files come in on standard input, each ended by a NUL byte. A file that does not parse
is left out.
"""

import ast
import json
import sys


def targets(node):
    """The names that are assigned to, not fields of others and not elements."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Starred):
        yield from targets(node.value)
    elif isinstance(node, (ast.Tuple, ast.List)):
        for inner in node.elts:
            yield from targets(inner)


def declared(node):
    """The names that a statement declares."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            yield from targets(target)
    elif isinstance(node, ast.AnnAssign):
        yield from targets(node.target)
    elif type(node).__name__ == "TypeAlias":
        yield node.name.id


def first_line(node):
    return min([node.lineno] + [d.lineno for d in getattr(node, "decorator_list", [])])


def symbols(statements, owner, found):
    """Those at top level and in classes, also in an if, a loop, a try, a with or a match."""
    for node in statements:
        for name in declared(node):
            found.append({"name": owner + name, "from": first_line(node), "to": node.end_lineno})
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        inner = owner + node.name + "." if isinstance(node, ast.ClassDef) else owner
        for field in ("body", "handlers", "cases", "orelse", "finalbody"):
            for part in getattr(node, field, []):
                block = getattr(part, "body") if field in ("handlers", "cases") else [part]
                symbols(block, inner, found)


def imports(tree):
    """What is imported anywhere, by statements and by calls with a name written out."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if called in ("import_module", "__import__") and isinstance(node.args[0].value, str) and node.args[0].value:
                yield node.args[0].value


def main():
    for path in sys.stdin.buffer.read().decode("utf-8", "surrogateescape").split("\0"):
        try:
            with open(path, "rb") as file:
                tree = ast.parse(file.read())
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        found = []
        symbols(tree.body, "", found)
        print(json.dumps({"path": path, "symbols": found, "imports": sorted(set(imports(tree)))}))


main()
