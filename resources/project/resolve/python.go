package resolve

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/project/manifest"
)

// python resolves Python imports: relative ones from the file's package, others from source
// roots.
type python struct {
	*Resolver
	roots   []string // all source roots of the repository; nil before loading
	library map[string]bool
}

// extensions returns the extensions of Python files.
func (*python) extensions() []string { return []string{".py", ".pyi"} }

// pythonManifests lists the files that indicate packages in their directory.
func pythonManifests() []string {
	return []string{"pyproject.toml", "setup.py", "setup.cfg"}
}

// manifest reports whether a file marks a source root for Python imports, such as pyproject.toml.
func (*python) manifest(file string) bool {
	return slices.Contains(pythonManifests(), path.Base(file))
}

// changed discards the source roots after a manifest changed. It returns all Python imports as
// affected if they differ.
func (p *python) changed(string) Touched {
	was := p.roots
	p.roots = nil
	if was != nil && slices.Equal(was, p.allRoots()) {
		return Touched{}
	}
	return Touched{Extensions: p.extensions()}
}

// resolve returns the files that a relative or absolute Python import refers to, or nil for an
// external import.
func (p *python) resolve(q *query) []Target {
	dots := len(q.From) - len(strings.TrimLeft(q.From, "."))
	name := strings.ReplaceAll(q.From[dots:], ".", "/")
	if dots > 0 {
		dir := q.dir
		for range dots - 1 {
			if dir == "" {
				return nil
			}
			dir = parent(dir)
		}
		return p.module(q, below(dir, name))
	}
	if name == "" || strings.Contains(name, "//") || path.Clean(name) != name {
		return nil
	}
	first, _, _ := strings.Cut(name, "/")
	for n, root := range p.rootsOf(q) {
		if n > 0 && p.library[first] {
			break
		}
		if targets := p.module(q, below(root, name)); targets != nil {
			return targets
		}
	}
	return nil
}

// module resolves a module. Imported names that are submodules have separate targets, with
// the attributes used of them. All other names belong to the module itself.
func (p *python) module(q *query, at string) (targets []Target) {
	self, there := p.file(q, at)
	if !there && !q.hasFolder(at) {
		return nil
	}
	var own []string
	used := map[string][]string{}
	for _, name := range q.Names {
		if module, of, isUse := strings.Cut(name, "."); isUse {
			used[module] = append(used[module], of)
		}
	}
	for _, name := range q.Names {
		if strings.Contains(name, ".") {
			continue
		}
		file, found := "", false
		if q.tree.folders[at] != nil && name != "*" && !strings.Contains(name, "/") {
			file, found = p.file(q, below(at, name))
		}
		if found {
			targets = append(targets, Target{file, append([]string{"*"}, used[name]...)})
		} else {
			own = append(own, name)
		}
	}
	whole := !slices.ContainsFunc(q.Names, func(name string) bool { return !strings.HasPrefix(name, ".") })
	if whole && len(used[""]) > 0 {
		own = append([]string{"*"}, used[""]...)
	}
	if there && (whole || len(own) > 0) {
		targets = append(targets, Target{self, own})
	}
	return targets
}

// file returns the file of a module or package. A package has precedence.
func (p *python) file(q *query, at string) (string, bool) {
	if file, found := q.first(below(at, "__init__"), ".py", ".pyi"); found {
		return file, true
	}
	return q.first(at, ".py", ".pyi")
}

// rootsOf returns the source roots for a file, in order of precedence: the directory of its
// top-level package, the roots of enclosing projects, and all other roots.
func (p *python) rootsOf(q *query) []string {
	own, _ := upwards(q.dir, func(dir string) bool { return !q.has(below(dir, "__init__.py")) })
	roots := []string{own}
	all := p.allRoots()
	for _, root := range all { // deepest first
		if root == "" || isBelow(q.dir, root) || isBelow(q.dir, parent(root)) && path.Base(root) == "src" {
			roots = append(roots, root)
		}
	}
	for _, root := range all {
		if !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
	}
	return roots
}

// allRoots returns all source roots: for each manifest its directory, its src directory,
// and the configured ones.
func (p *python) allRoots() []string {
	if p.roots != nil {
		return p.roots
	}
	roots := map[string]bool{"": true, "src": true}
	for _, name := range pythonManifests() {
		for _, file := range p.tree.pathsOf(name) {
			dir := parent(file)
			roots[dir], roots[below(dir, "src")] = true, true
			for _, root := range p.declaredRoots(file) {
				if root, inside := join(dir, root); inside {
					roots[root] = true
				}
			}
		}
	}
	p.roots = slices.Collect(maps.Keys(roots))
	deepestFirst(p.roots, func(dir string) string { return dir })
	return p.roots
}

// declaredRoots returns the source roots that a pyproject.toml configures, in the notation of its
// tools.
func (p *python) declaredRoots(file string) (roots []string) {
	if path.Base(file) != "pyproject.toml" {
		return nil
	}
	data, _ := p.readFile(file)
	tool := manifest.TOML(data).Get("tool")
	roots = listOf(tool.Get("setuptools", "packages", "find", "where"))
	roots = append(roots, tool.Text("setuptools", "package-dir", ""))
	for _, included := range tool.Get("poetry", "packages").List() {
		roots = append(roots, included.Text("from"))
	}
	roots = append(roots, tool.Text("maturin", "python-source"), tool.Text("pdm", "build", "package-dir"))
	roots = append(roots, listOf(tool.Get("pytest", "ini_options", "pythonpath"))...)
	return slices.DeleteFunc(roots, func(root string) bool { return root == "" })
}

// pythonLibrary returns the modules of Python's standard library, of all versions in use.
// They have precedence over modules of the repository, except in the source root of the
// importing file.
func pythonLibrary() map[string]bool {
	names := map[string]bool{}
	for _, name := range strings.Fields("abc aifc argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath " +
		"cmd code codecs codeop collections colorsys compileall concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses " +
		"datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib " +
		"functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http imaplib imghdr imp importlib inspect io ipaddress " +
		"itertools json keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt multiprocessing " +
		"netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib " +
		"poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource " +
		"rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile " +
		"sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib " +
		"tempfile termios textwrap threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle types typing unicodedata " +
		"unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo") {
		names[name] = true
	}
	return names
}
