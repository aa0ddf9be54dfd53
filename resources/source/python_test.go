package source

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const pythonAuth = `"""Signs people in.

TODO(task/tokens): rotate
"""
from __future__ import annotations
import os.path as p, sys
from . import base
from ..a.b import (c as d,  # one
    e)
from x import *
if TYPE_CHECKING:
    from types import FrameType
else:
    FrameType = None

__all__ = ["Auth", "limit", "_hidden"]

LIMIT: Final = 3
(first, *rest), _hidden = other.field = 1, 2
table["a"] = LIMIT
limit += 1; limit: int = 4
Pair: TypeAlias = "tuple"
type Alias[T] = list[T]


# Who may come in.
@register(
    "auth",
)
class Auth(Base, metaclass=Meta):
    '''Says who you are.'''
    field: int
    Inner: type = None

    @property
    async def login(self, a=lambda x: {1: 2}, *, b: "str" = f"{a['}']!r:{'>'}10}") -> dict[str, int]:
        r"""Lets one in: \d.

        FIXME(#12): again
        """
        import json
        local = 1
        if a:
            return 1
        else:
            local = 2
        def inner():
            "of nobody"
            from deep import er
        return local

    class Config: strict = True; size = 2

class Color(str, enum.Enum):
    RED = 1

try:
    def compat(): pass
except ImportError as error: compat = None
if match := find(): match = 3
match limit:
    case 1: one = 1
    case _:
        def many(x):
            return (x,
                    x)
plugin = importlib.import_module("plug.in")
`

func TestScanPython(t *testing.T) {
	facts := Scan("auth.py", []byte(pythonAuth))
	require.Empty(t, facts.Partial)
	assert.Equal(t, []string{
		"FrameType 14-14 variable", "__all__ 16-16 variable", "LIMIT 18-18 constant", "first 19-19 variable", "rest 19-19 variable", "_hidden 19-19 variable+",
		"limit 21-21 variable+", "Pair 22-22 type", "Alias 23-23 type", "Auth 27-52 class+", "Auth.field 32-32 variable+", "Auth.Inner 33-33 variable+",
		"Auth.login 35-50 method+", "Auth.Config 52-52 class+", "Auth.Config.strict 52-52 variable+", "Auth.Config.size 52-52 variable+",
		"Color 54-55 enum", "Color.RED 55-55 constant", "compat 58-58 function", "compat 59-59 variable", "match 60-60 variable", "one 62-62 variable",
		"many 64-66 function", "plugin 67-67 variable",
	}, shownSymbols(facts))
	assert.Equal(t, []Import{
		{From: "__future__", Kind: ValueImport, Names: []string{"annotations"}, Line: 5},
		{From: "os.path", Kind: ValueImport, Line: 6}, {From: "sys", Kind: ValueImport, Line: 6},
		{From: ".", Kind: ValueImport, Names: []string{"base"}, Line: 7},
		{From: "..a.b", Kind: ValueImport, Names: []string{"c", "e"}, Line: 8},
		{From: "x", Kind: ValueImport, Names: []string{"*"}, Line: 10},
		{From: "types", Kind: TypeImport, Names: []string{"FrameType"}, Line: 12},
		{From: "json", Kind: DynamicImport, Line: 41},
		{From: "deep", Kind: DynamicImport, Names: []string{"er"}, Line: 49},
		{From: "plug.in", Kind: DynamicImport, Line: 67},
	}, facts.Imports)
}

// shownSymbols are those of a file, with a + after the kind of those that are exported.
func shownSymbols(facts Facts) (all []string) {
	for _, s := range facts.Symbols {
		line := strings.Join([]string{s.Full(), lines(s.From, s.To), s.Kind}, " ")
		if s.Exported {
			line += "+"
		}
		all = append(all, line)
	}
	return all
}

func TestPythonDocs(t *testing.T) {
	facts := Scan("auth.py", []byte(pythonAuth))
	login := symbolNamed(facts, "Auth.login")
	assert.Equal(t, `Lets one in: \d.`, login.Doc)
	assert.Equal(t, `async def login(self, a=lambda x: {1: 2}, *, b: "str" = f"{a['}']!r:{'>'}10}") -> dict[str, int]`, login.Signature)
	assert.Equal(t, "Says who you are.", symbolNamed(facts, "Auth").Doc, "a docstring counts before a comment")
	require.Len(t, facts.Notes, 2)
	assert.Equal(t, Note{Word: "TODO", Text: "rotate", Task: "tokens", Line: 3, Code: "from __future__ import annotations"}, facts.Notes[0])
	assert.Equal(t, Note{Word: "FIXME", Text: "again", Issue: "12", Symbol: "Auth.login", Line: 39, Code: "import json"}, facts.Notes[1])
	assert.Contains(t, facts.Comments, Comment{Text: "of nobody", Symbol: "Auth.login", From: 48, To: 48})
	assert.Contains(t, facts.Comments, Comment{Text: "Who may come in.", Symbol: "Auth", Doc: true, From: 26, To: 26})
	changed := Scan("auth.py", []byte(strings.Replace(pythonAuth, "Lets one in", "Lets none in", 1)))
	assert.Equal(t, login.Body, symbolNamed(changed, "Auth.login").Body)
	assert.NotEqual(t, login.DocSum, symbolNamed(changed, "Auth.login").DocSum)
}

func TestPythonExports(t *testing.T) {
	for data, want := range map[string]string{
		"def a(): pass\ndef _b(): pass\nclass _C:\n  d = 1\nclass E:\n  _f = 1\n  class G: h = 1": "a E E.G E.G.h",
		"a = b = 1\n__all__ = ('a',)\n__all__ += ['b']":                                           "a b",
		"a = _b = 1\n__all__ = []\n__all__.extend(['_b'])":                                        "_b",
		"a = 1\n__all__ = []": "",
		"a = 1\n__all__ = [n for n in dir() if n.startswith('_')]": "a",
		"a = 1\n__all__: list[str] = ['b']":                        "",
	} {
		var names []string
		for _, s := range Scan("a.py", []byte(data)).Symbols {
			if s.Exported {
				names = append(names, s.Full())
			}
		}
		assert.Equal(t, want, strings.Join(names, " "), data)
	}
}

// Strings end where Python ends them.
func TestPythonStrings(t *testing.T) {
	for _, text := range []string{
		`'a'`, `"a\"b"`, `r"\" "`, `'''a'b''c'''`, `"""a\""""`, `Rb'#'`, `f"{x["a"]}"`, `f"{f"{f"{1}"}"}"`, `f'{{{x}}}'`, `f"{'a' if x else "#"}"`, `f"{x!r:{'"'}>{w}}"`,
		`f"{x:%H:'}"`, `f"{a != b}"`, `f"\N{LEFT CURLY BRACKET}"`, `rf"\{x}"`, `f"\{x}"`, "f'''{\nx # }'''\n}'''", `f"""{x:"}"""`, `f"{(lambda x: '}')(1)}"`, `t"{x}"`, "'a\\\nb'", "'a\\\r\nb'",
		`f"{x:{"a"}}"`, `u'a' B"b"`, `f"{d["}"]}" f'{"'"}'`, "f\"a\\\nb\"", "f'{x:\\x7b}'",
	} {
		facts := Scan("a.py", []byte("a = "+text+"\nb = 1 # c\n"))
		assert.Empty(t, facts.Partial, text)
		assert.Equal(t, []string{"a", "b"}, declaredNames(facts), text)
		require.Len(t, facts.Comments, 1, text)
	}
	for _, text := range []string{`'a`, `"""a`, `f"{x`, `f"{x:"`, `f"{'a}"`, "f'a\nb'", `f"{f"{1}"`} {
		assert.Equal(t, "does not parse", Scan("a.py", []byte("b = 1\na = "+text+"\n")).Partial, text)
	}
}

// What a statement assigns to and what a head is, where names look like key words.
func TestPythonStatements(t *testing.T) {
	for data, want := range map[string]string{
		"a.b = c[d] = (e).f = g(h).i = 1":                     "",
		"(a, [b, *c]), d, = e":                                "a b c d",
		"a == b; c >= d; e <= f; g != h; i @= 1; j >>= 1":     "",
		"a = lambda b, c=1: c; print(d := 1)":                 "a",
		"match = 1; case = 2; type = 3\ntype.a = 4":           "match case type",
		"match: int = 1\ncase: int = 2\ntype: int\nasync = 3": "match case type async",
		"match(x)\ncase(y)\ntype(z)":                          "",
		"match x, y:\n  case A(b=1) if (c): d = 1\n":          "d",
		"match = a if b else c\nif match: d = 1":              "match d",
		"if lambda: 1: a = 1\nwhile lambda x: 2: b = 1":       "a b",
		"for a in b:\n\tc = 1\nelse:\n\td = 1":                "c d",
		"with a as b, \\\n  c: d = 1":                         "d",
		"x = \\\n  1\ny = [\n1,\n]\nz = 1 if \\\n  y else 2":  "x y z",
		"a: int\nb: int = c = 1\na.b: int = 1":                "a b",
		"if a:\n  b = 1\n  # c\n# d\n\n  e = 1\n\x0cf = 1":    "b e f",
		"if a:\n\tb = 1\n        c = 1":                       "b c",
		"\ufeffa = 1\r\nif a:\r\n  b = 1\r\n":                 "a b",
		"async with a: b = 1\nasync def f():\n  c = 1":        "b f",
		"def f(): x = 1; y = 2\nz = 3;":                       "f z",
		"größe = 1\nclass Ä: ö = 2":                           "größe Ä Ä.ö",
	} {
		facts := Scan("a.py", []byte(data))
		if assert.Equal(t, want, strings.Join(declaredNames(facts), " "), data) && !strings.Contains(data, "c = 1\na.b") {
			assert.Empty(t, facts.Partial, data)
		}
	}
}

func TestPythonThatDoesNotParse(t *testing.T) {
	for _, data := range []string{"def f(:\n  pass", "if x\n  y", "if x:\ny", "x\n  y", "if x:\n    y\n  z", "def f():", "x = (1", "x = ]", "class A:\n  def f(self):\nx = 1"} {
		assert.Equal(t, "does not parse", Scan("a.py", []byte("a = 1\n"+data)).Partial, data)
		assert.True(t, Find("a.py", "gone", []byte(data)).Exists, "nobody can tell: %s", data)
		assert.NotEmpty(t, Find("a.py", "a", []byte("a = 1\n"+data)).SHA256, data)
	}
}

// What of a file changes the sum of which declaration.
func TestFindInPython(t *testing.T) {
	const data = "x = 1\n\n@wraps\ndef f(a, b):\n    \"doc\"\n    if a:\n        b()\n        c()\n    return 'd'\n\n\nclass A:\n    def f(self): return 1\n    y = (1, 2)\n"
	for _, test := range []struct{ name, old, new, changed string }{
		{"a body", "return 'd'", "return 'e'", "f"},
		{"a statement goes in", "    return 'd'", "        return 'd'", "f"},
		{"a statement goes out", "        c()", "    c()", "f"},
		{"a decorator", "@wraps", "@wraps(1)", "f"},
		{"a parameter", "(a, b)", "(a, b=1)", "f"},
		{"a docstring", "\"doc\"", "'''Other.\n\n    doc\n    '''", ""},
		{"a comment", "        b()", "        # f(a, b)\n        b()  # f", ""},
		{"quotes", "'d'", "\"d\"", ""},
		{"a prefix", "'d'", "b'd'", "f"},
		{"line breaks", "(a, b)", "(\n    a,\n    b,\n)", ""},
		{"indentation", "\n    \"doc\"\n    if a:\n        b()\n        c()\n    return", "\n  \"doc\"\n  if a:\n     b()\n     c()\n  return", ""},
		{"one line", "def f(self): return 1", "def f(self):\n        return 1", ""},
		{"a mention", "x = 1\n", "x = 1\nf = g.f(A.f)\nprint('def f(): pass')\n", ""},
		{"a neighbour", "x = 1", "x = 2", "x"},
		{"a method", "return 1", "return 2", "A A.f"},
		{"a field", "(1, 2)", "(1, 3)", "A A.y"},
		{"all of it deeper", "class A:\n    def f(self): return 1\n    y = (1, 2)\n", "if x:\n    class A:\n        def f(self): return 1\n        y = (1, 2)\n", ""},
		{"line ends", "\n", "\r\n", ""},
		{"joined lines", "(1, 2)", "\\\n   (1, 2)", ""},
	} {
		require.Contains(t, data, test.old, test.name)
		after := strings.ReplaceAll(data, test.old, test.new)
		if test.name == "a mention" {
			after = strings.Replace(after, "f = g.f", "h = g.f", 1)
		}
		var changed []string
		for _, name := range []string{"x", "f", "A", "A.f", "A.y"} {
			part := Find("a.py", name, []byte(after))
			require.True(t, part.Exists && part.Declaration && !part.Mentioned, name)
			if part.SHA256 != Find("a.py", name, []byte(data)).SHA256 {
				changed = append(changed, name)
			}
		}
		assert.Equal(t, test.changed, strings.Join(changed, " "), test.name)
	}
	assert.False(t, Find("a.py", "g", []byte("import g\n# g = 1\n'def g(): pass'\ng()\n")).SHA256 != "")
}

// pythonHostile are what a file may repeat to cost more than its size.
var pythonHostile = []string{
	"(", "[{", "f'{", "f'{f\"{", "f'''", "'", "\"\"\"", "\\\n", "if x:\n", "if x: ", "class A:", "a,", "a=", "@a\n", "lambda:", "lambda x=", "import a,", "from .", "# TODO\n", "x\n y\n", "\t", "\x0c", "\\N{",
	"f'{x:", "{x:", "'''a'''\n", "def f():\n 'a'\n", "\xff", "\x00", "match x:\n", "case ", "ä", "f\"\\", ";", "a;", "x=[[],[],\n", ")",
}

func TestHostilePython(t *testing.T) {
	for _, unit := range pythonHostile {
		for _, prefix := range []string{"", "x = ", "def f(a", "class A:\n x = f'{"} {
			data := []byte(prefix + strings.Repeat(unit, (32<<10)/len(unit)))
			began := time.Now()
			Scan("a.py", data)
			assert.Less(t, time.Since(began), 5*time.Second, "%q %q", prefix, unit)
		}
	}
	var nested strings.Builder
	for depth := range 300 {
		nested.WriteString(strings.Repeat(" ", depth) + "class A:\n")
	}
	assert.NotEmpty(t, Scan("a.py", []byte(nested.String())).Partial)
}

func FuzzPython(f *testing.F) {
	f.Add(pythonAuth)
	f.Add("class.00\n A0=00")
	for _, unit := range pythonHostile {
		f.Add(unit + unit)
		f.Add("class A:\n x = f'{" + unit)
	}
	f.Fuzz(func(t *testing.T, data string) { soundFacts(t, "a.py", data) })
}

// lines is how a test writes which ones something has.
func lines(from, to int) string { return strconv.Itoa(from) + "-" + strconv.Itoa(to) }

func symbolNamed(facts Facts, name string) Symbol {
	for _, s := range facts.Symbols {
		if s.Full() == name {
			return s
		}
	}
	return Symbol{}
}

// soundFacts fails where a file's facts cannot be: lines outside of it, names without any, other
// facts the second time.
func soundFacts(t *testing.T, file, data string) {
	facts := Scan(file, []byte(data))
	require.NotEqual(t, "the scanner failed", facts.Partial)
	for _, s := range facts.Symbols {
		require.True(t, 1 <= s.From && s.From <= s.To && s.To <= facts.Lines && s.Name != "", "%+v", s)
		require.True(t, Find(file, s.Full(), []byte(data)).Exists || !symbolName().MatchString(s.Full()), "%+v", s)
	}
	for _, i := range facts.Imports {
		require.True(t, 1 <= i.Line && i.Line <= facts.Lines && i.From != "", "%+v", i)
	}
	for _, c := range facts.Comments {
		require.True(t, 1 <= c.From && c.From <= c.To && c.To <= facts.Lines, "%+v", c)
	}
	require.Equal(t, facts, Scan(file, []byte(data)))
	if facts.Partial == "" {
		assertOutline(t, file, []byte(data))
	}
}
