"""Prints where the imports of files lead by Python's own finders, a line of JSON for each file.

The root of the files is the argument, their names come in on standard input, each ended by a
NUL byte. Nothing is run: modules are found, not loaded. A file that does not parse is left out.
"""

import ast
import functools
import json
import os
import sys
from importlib.machinery import PathFinder

root = os.path.realpath(sys.argv[1])
names = [n for n in sys.stdin.buffer.read().decode("utf-8", "surrogateescape").split("\0") if n]
library = [p for p in sys.path if p and os.path.isdir(p)]


def project_roots():
    """Folders that installing what is here puts on the path."""
    roots = {"", "src"}
    for name in names:
        if os.path.basename(name) in ("pyproject.toml", "setup.py", "setup.cfg"):
            folder = os.path.dirname(name)
            roots |= {folder, os.path.join(folder, "src")}
    return sorted((os.path.join(root, r) for r in roots), key=lambda r: (-r.count("/"), r))


roots = project_roots()


def top(folder):
    """The folder around a package, where running its modules looks first."""
    while os.path.exists(os.path.join(folder, "__init__.py")) and folder != root:
        folder = os.path.dirname(folder)
    return folder


@functools.lru_cache(None)
def find(dotted, path):
    """The spec of a module, found by its parts below the folders of a path."""
    spec, where = None, list(path)
    for part in dotted.split("."):
        spec = PathFinder.find_spec(part, where)
        if spec is None:
            return None
        where = list(spec.submodule_search_locations or [])
    return spec


@functools.lru_cache(None)
def bound(file):
    """The names that a package binds at its top, its own modules aside."""
    found = set()
    try:
        with open(file, "rb") as f:
            body = ast.parse(f.read()).body
    except (OSError, SyntaxError, ValueError):
        return found
    while body:
        node = body.pop()
        for inner in ast.iter_child_nodes(node) if isinstance(node, (ast.If, ast.Try, ast.With)) else ():
            body.append(inner)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.ImportFrom) and node.level == 1 and not node.module:
            continue
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {(a.asname or a.name).split(".")[0] for a in node.names}
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            for target in getattr(node, "targets", None) or [node.target]:
                found |= {n.id for n in ast.walk(target) if isinstance(n, ast.Name)}
    return found


def inside(spec):
    """The file of a module as a path from the root; "" if it stands elsewhere, None if it has none."""
    if spec.origin is None or not spec.has_location:
        return None if spec.submodule_search_locations else ""
    file = os.path.realpath(spec.origin)
    if not file.startswith(root + os.sep) or not file.endswith(".py"):
        return ""
    return os.path.relpath(file, root)


def leads(spec, wanted):
    """Where an import of a module leads, with the names that it takes of it."""
    itself, found = inside(spec), set()
    own = not wanted
    for name in wanted:
        sub = None
        if spec.submodule_search_locations and name != "*" and not (itself and name in bound(spec.origin)):
            sub = PathFinder.find_spec(name, list(spec.submodule_search_locations))
        if sub is None:
            own = True
        else:
            found.add(inside(sub))
    if own:
        found.add(itself)
    return found - {None}


def answers(name, tree):
    """All imports of a file, as spelled."""
    folder = os.path.dirname(os.path.join(root, name))
    path = tuple([top(folder)] + library + roots)
    if root in map(os.path.realpath, library):
        path = tuple([root] + library)
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            wanted = [(a.name, path, a.name, []) for a in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level:
            base = folder
            for _ in range(node.level - 1):
                base = os.path.dirname(base)
            spelled = "." * node.level + (node.module or "")
            dotted = os.path.basename(base) + ("." + node.module if node.module else "")
            wanted = [(dotted, (os.path.dirname(base),), spelled, [a.name for a in node.names])]
        elif isinstance(node, ast.ImportFrom):
            wanted = [(node.module, path, node.module, [a.name for a in node.names])]
        else:
            continue
        for dotted, where, spelled, taken in wanted:
            spec = None if dotted.split(".")[0] in sys.builtin_module_names else find(dotted, where)
            if spec is not None:
                found.setdefault(spelled, set()).update(leads(spec, taken))
            elif dotted.split(".")[0] in sys.builtin_module_names:
                found.setdefault(spelled, set()).add("")
    return {spelled: sorted(to) for spelled, to in found.items()}


for name in names:
    if not name.endswith(".py"):
        continue
    try:
        with open(os.path.join(root, name), "rb") as f:
            tree = ast.parse(f.read())
    except (OSError, SyntaxError, ValueError, RecursionError):
        continue
    print(json.dumps({"path": name, "imports": answers(name, tree)}))
