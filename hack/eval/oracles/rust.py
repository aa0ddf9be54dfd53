"""Reads names of files from its input, and tells what rustc's parser finds in each: the tree that
it prints for people, read by its indents."""
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

OPENS = re.compile(r"^(?:(\w+): )?([^\"']*?) ?[{(\[]$")
SCALAR = re.compile(r"^(?:(\w+): )?(.*?),?$")
SPAN = re.compile(r":(\d+):\d+: (\d+):\d+ \(#\d+\)$")


class Node:
    def __init__(self, tag):
        self.tag, self.named, self.all = tag, {}, []

    def __getitem__(self, key):
        return self.named[key]

    def text(self, key):
        return self.named.get(key, "")


def tree(text):
    root = Node("")
    stack = [root]
    for line in text.splitlines():
        line = line.strip()
        if line.rstrip(",") in ("}", ")", "]"):
            stack.pop()
            continue
        opens = OPENS.match(line)
        key, value = (opens or SCALAR.match(line)).groups()
        if opens:
            value = Node(value)
        if key:
            stack[-1].named[key] = value
        else:
            stack[-1].all.append(value)
        if opens:
            stack.append(value)
    return root.all[0]


def name(ident):
    return ident.rsplit("#", 1)[0].removeprefix("r#")


def lines(node):
    found = SPAN.search(node["span"])
    first = int(found[1])
    for a in listed(node, "attrs"):
        if a["kind"].tag != "DocComment" and a["style"] == "Outer":
            first = min(first, int(SPAN.search(a["span"])[1]))
    return first, int(found[2])


def listed(node, key):
    value = node.named.get(key)
    return value.all if isinstance(value, Node) else []


def path(p):
    return [name(s["ident"]).replace("{{root}}", "") for s in listed(p, "segments")]


def owner(ty):
    """The name of the type that an impl block is for."""
    kind = ty["kind"]
    if not isinstance(kind, Node):
        return ""
    if kind.tag == "Path":
        return path(kind.all[-1])[-1]
    if kind.tag in ("Ref", "Ptr", "PinnedRef"):
        return owner(kind.all[-1]["ty"])
    if kind.tag == "TraitObject" and kind.all[0].all[0].tag == "Trait":
        ref = kind.all[0].all[0].all[0]
        return path(ref["trait_ref"]["path"])[-1]
    return ""


class File:
    def __init__(self):
        self.symbols, self.imports = [], set()

    def add(self, owner, called, node):
        first, last = lines(node)
        if called != "_":
            self.symbols.append({"name": ".".join(owner + [called]), "from": first, "to": last})

    def use(self, before, t):
        """One path of a use, which may hold others."""
        segments, kind = before + path(t["prefix"]), t["kind"]
        if isinstance(kind, Node) and kind.tag == "Nested":
            for inner in kind["items"].all:
                self.use(segments, inner.all[0])
            return
        if kind == "Glob" or isinstance(kind, Node) and kind.tag.startswith("Glob"):
            segments = segments + ["*"]
        self.imports.add("::".join(segments[:-1]) or "::".join(segments))

    def item(self, owner_names, i):
        kind = i["kind"]
        if not isinstance(kind, Node):
            return
        inner = kind.all[0] if kind.all and isinstance(kind.all[0], Node) else kind
        called = inner.named.get("ident") or next((x for x in kind.all if isinstance(x, str) and re.search(r"#\d+$", x)), "")
        called = name(called) if isinstance(called, str) else ""
        if kind.tag == "Use":
            self.use([], kind.all[0])
        elif kind.tag == "ExternCrate":
            original = kind.all[0]
            self.imports.add(original.all[0].strip('"') if isinstance(original, Node) else called)
        elif kind.tag == "Impl":
            of = owner(inner["self_ty"])
            self.members(owner_names + ([of] if of else []), inner)
        elif kind.tag == "ForeignMod":
            self.members(owner_names, inner)
        elif kind.tag == "Mod":
            self.module(owner_names, called, i, kind)
        elif kind.tag != "MacCall" and called:
            self.add(owner_names, called, i)
            self.inside(owner_names + [called], kind, inner)

    def members(self, owner_names, node):
        for member in listed(node, "items"):
            self.item(owner_names, member)

    def module(self, owner_names, called, i, kind):
        loaded = next((x for x in kind.all if isinstance(x, Node) and x.tag == "Loaded"), None)
        if loaded is None:
            self.imports.add("mod " + called)
            return
        self.add(owner_names, called, i)
        for inner in loaded.all[0].all if isinstance(loaded.all[0], Node) else []:
            self.item(owner_names + [called], inner)

    def inside(self, owner_names, kind, inner):
        if kind.tag == "Trait":
            self.members(owner_names, inner)
        elif kind.tag == "Enum":
            holder = next(x for x in kind.all if isinstance(x, Node) and x.tag == "EnumDef")
            for variant in listed(holder, "variants"):
                self.add(owner_names, name(variant["ident"]), variant)
        elif kind.tag in ("Struct", "Union"):
            holder = next((x for x in kind.all if isinstance(x, Node) and x.tag == "Struct"), None)
            for field in listed(holder, "fields") if holder else []:
                self.add(owner_names, name(field["ident"].all[0]), field)


def answer(file):
    run = subprocess.run(["rustc", "-Zunpretty=ast-tree", "--edition", "2021", file], capture_output=True,
                         env=dict(os.environ, RUSTC_BOOTSTRAP="1"), check=False)
    if run.returncode != 0:
        return None
    f = File()
    for item in listed(tree(run.stdout.decode("utf-8", "replace")), "items"):
        f.item([], item)
    return json.dumps({"path": file, "symbols": f.symbols, "imports": sorted(f.imports)})


if __name__ == "__main__":
    sys.setrecursionlimit(10000)
    with ThreadPoolExecutor(2) as pool:
        for line in pool.map(answer, sys.stdin.read().rstrip("\0").split("\0")):
            if line:
                print(line)
