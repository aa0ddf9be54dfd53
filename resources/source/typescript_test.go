package source

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// starred are the symbols of a file: name, kind and lines, a * before what is exported.
func starred(f Facts) (all []string) {
	for _, s := range f.Symbols {
		star := ""
		if s.Exported {
			star = "*"
		}
		all = append(all, fmt.Sprintf("%s%s %s %d-%d", star, s.Full(), s.Kind, s.From, s.To))
	}
	return all
}

func TestTypeScriptDeclarations(t *testing.T) {
	for _, test := range []struct{ name, file, text, want string }{
		{"functions", "a.ts", "export function a<T>(x: T): { b: T } {\n return {b: x}\n}\nasync function* b() {}\nfunction c(x: string): void\nfunction c(x) {}\n", "*a function 1-3, b function 4-4, c function 5-5, c function 6-6"},
		{"variables", "a.ts", "export const a = 1, b = (x: number): number =>\n x / 2\nlet c: Map<string, number>, d;\nconst {e, f: {g, h = {i: 1}}, ...j} = k, [l, , m] = n\n",
			"*b function 1-2, *a constant 1-1, c variable 3-3, d variable 3-3, e constant 4-4, g constant 4-4, h constant 4-4, j constant 4-4, l constant 4-4, m constant 4-4"},
		{"a class", "a.ts", "@Injectable()\nexport abstract class A<T> extends B<T>(C) implements D, E {\n  static #x = 1\n  'quoted-name' = () => 2\n  static { this.y() }\n  constructor(private readonly z: Z, w = 1) { super() }\n  @Get('/')\n  async get<T>(@Body() b: {c: T}): Promise<{d: T}> {\n    const local = 1\n  }\n  get size(): number { return 1 }\n  set size(v) {}\n  protected abstract f(): void\n  *[Symbol.iterator]() {}\n  [key: string]: any\n  get = 1\n  async\n  declare\n}\n",
			"*A class 1-19, A.#x variable 3-3, *A.quoted-name variable 4-4, *A.constructor method 6-6, A.z variable 6-6, *A.get method 7-10, *A.size method 11-11, *A.size method 12-12, A.f method 13-13, *A.[Symbol.iterator] method 14-14, *A.get variable 16-16, *A.async variable 17-17, *A.declare variable 18-18"},
		{"types", "a.ts", "interface A { (x): y; new (x): A; <T>(x: T): T\n b?: string\n readonly c: () => void, d<T>(): T }\ntype B<T> =\n | { a: T }\n | (T extends infer U\n  ? [U] : never)\nexport const enum C { a = 1 << 2, 'b', c }\ntype D = 1\n",
			"A interface 1-3, A.b variable 2-2, A.c variable 3-3, A.d method 3-3, B type 4-7, *C enum 8-8, *C.a constant 8-8, *C.b constant 8-8, *C.c constant 8-8, D type 9-9"},
		{"namespaces", "a.ts", "export namespace A.B { export const c = 1; const d = 2 }\ndeclare module 'x' { export function f(): void\n var g }\ndeclare global { interface Window { a: 1 } }\nmodule\ntype\nnamespace = 1\n",
			"*A.B module 1-1, *A.B.c constant 1-1, A.B.d constant 1-1, *x module 2-3, *x.f function 2-2, *x.g variable 3-3, *global module 4-4, *global.Window interface 4-4, *global.Window.a variable 4-4"},
		{"no locals", "a.js", "if (a) { var b = 1 }\n(function () { var c })()\nfor (const d of e) function f() {}\nx = class { g() {} }\nconst h = { i() {}, j: function () {} }\nlabel: { class K {} }\n", "h constant 5-5"},
		{"assigned", "a.js", "exports.a = function () {\n}\nmodule.exports.b = exports.c = 1\nA.prototype.d = function () {}\nres.send = function send(x) {\n}\nres.x = 1\nthis.y = function () {}\nexports.z = A\nfunction A() {}\n",
			"*a function 1-2, *b variable 3-3, *c variable 3-3, *A.d method 4-4, *res.send method 5-6, *A function 10-10"},
		{"without semicolons", "a.js", "const a = b\nconst c = a\n  .d\n  ?.e\nlet f = () => {}\n(g)\nconst h = x\n++y\nconst i = `a\n${b}`\nconst j = function\n()\n{\n}\nconst k = !a\n;[1].map(b)\nconst l = a <\n b\n",
			"a constant 1-1, c constant 2-4, f function 5-5, h constant 7-7, i constant 9-10, j function 11-14, k constant 15-16, l constant 17-18"},
		{"export default", "a.ts", "export default class extends A {\n b() {}\n}\n", "*default class 1-3, *default.b method 2-2"},
		{"a list", "a.ts", "class A { b() {} }\nconst c = 1\nexport { A as D }\n", "*A class 1-1, *A.b method 1-1, c constant 2-2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			facts := Scan(test.file, []byte(test.text))
			assert.Empty(t, facts.Partial)
			assert.Equal(t, strings.Split(test.want, ", "), starred(facts))
		})
	}
}

// What follows a text that is easily misread is read as what it is.
func TestTypeScriptTokens(t *testing.T) {
	for _, test := range []struct{ file, text string }{
		{"a.js", "const a = b / c, d = /[/}]{/.test(e) / 2"},
		{"a.js", "if (a) /}/.exec(b)\nelse a = b++ / 2 / {c: 1} / `}`"},
		{"a.js", "const a = (b) / 2; function c() {} /{/g.test(d)"},
		{"a.js", "const a = `b${`c${{d: '}'}}e`}f{${1}`"},
		{"a.js", "#!/usr/bin/env node {\nconst a = '\\'{' // {\n/* { */"},
		{"a.jsx", "const a = <b c='{' d={e}>it's {f} // no {/* comment } */} <g.h/> <></></b>"},
		{"a.tsx", "const a = <T,>(b: T) => { return b < 1 }\nconst c = <T extends U>(d: T) => <E<F> g=<h/>>{d}</E>"},
		{"a.tsx", "type A = <T>(b: T) => void; interface B { <T>(): T }\nconst c = a < b ? <d>{`}`}</d> : <e/>"},
		{"a.tsx", "const a = <B>({c})</B>; const d = () => (<>{e && <f>{'}'}</f>}</>)"},
		{"a.ts", "const a = <any>b; const c = <T>(d: T) => d; const e = f! / 2; let g = h < i"},
		{"a.ts", "const a = b satisfies C<D<E>>; let f = a as unknown as G[]; let h: typeof a.b<c>[]"},
	} {
		facts := Scan(test.file, []byte(test.text+"\nfunction after() {}\n"))
		require.Empty(t, facts.Partial, test.text)
		last := facts.Symbols[len(facts.Symbols)-1]
		assert.Equal(t, "after", last.Name, test.text)
	}
}

func TestTypeScriptImports(t *testing.T) {
	facts := Scan("a.ts", []byte(`import './effects'
import a, { b as c, type D, default as e } from "./ab.js"
import * as f from 'f' with { type: "json" }
import type { G } from './g'
import type from './type'
import h = require('h')
import i = h.j
export { k as l, type M } from './k'
export * from './all'
export * as n from './n'
const { o, p: q } = require("o")
let r: typeof import('./r') | import('./s').T
async function lazy() { const { u } = await import('./u'); require('./v').w; a.require('x') }
import("./" + a); import(`+"`./y`"+`)
const text = "import('no')" // import('no')
`))
	var all []string
	for _, i := range facts.Imports {
		all = append(all, fmt.Sprintf("%d %s %s %s", i.Line, i.Kind, i.From, strings.Join(i.Names, " ")))
	}
	assert.Equal(t, []string{
		"1 value ./effects ", "2 value ./ab.js default b default", "2 type ./ab.js D", "3 value f *", "4 type ./g G", "5 value ./type default", "6 value h *",
		"8 re-export ./k k", "8 type ./k M", "9 re-export ./all *", "10 re-export ./n *", "11 value o o p", "12 type ./r *", "12 type ./s T",
		"13 dynamic ./u u", "13 dynamic ./v w", "14 dynamic ./y *",
	}, all)
}

// A line that is being written takes nothing from the next one.
func TestUnfinishedTypeScript(t *testing.T) {
	for _, begun := range []string{"import { a,", "import a", "const a =", "export", "export const a = (", "let a: B<", "class", "type A = B |", "@A("} {
		facts := Scan("a.ts", []byte(begun+"\nimport b from './b'\nexport const c = 1\n"))
		assert.Contains(t, facts.Imports, Import{From: "./b", Kind: ValueImport, Names: []string{"default"}, Line: 2}, begun)
		assert.Contains(t, listed(facts), "3-3 constant c +", begun)
	}
}

func TestTypeScriptExports(t *testing.T) {
	given := func(file, text string) (all []string) {
		for _, e := range Scan(file, []byte(text)).Exports {
			name := e.Name
			if e.Local != e.Name {
				name += "=" + e.Local
			}
			if e.Type {
				name = "type " + name
			}
			if e.From != "" {
				name += " from " + e.From
			}
			all = append(all, name)
		}
		return all
	}
	assert.Equal(t, []string{"a", "b", "c", "type D", "E", "type F", "g", "default=h"}, given("a.ts",
		"export const a = 1, { b, x: [c] } = d\nexport type D = 1\nexport enum E { x }\nexport interface F { x }\nexport function g(): void\nexport function g() {}\nexport default h\nnamespace N { export const no = 1 }\n"))
	assert.Equal(t, []string{"a", "b=c", "type d", "default=e", "*= from ./f", "g=* from ./g", "i=h from ./h", "type J from ./j", "k"}, given("a.ts",
		"export { a, c as b, type d, e as default }\nexport * from './f'\nexport * as g from './g'\nexport { h as i } from './h'\nexport type { J } from './j'\nexport import k = l.m\n"))
	assert.Equal(t, []string{"default=A"}, given("a.ts", "export = A"))
	assert.Equal(t, []string{"default=A"}, given("a.ts", "@B() export default class A {}"))
	assert.Equal(t, []string{"default="}, given("a.ts", "export default async () => {}"))
	assert.Equal(t, []string{"default=", "a", "b=c", "d=", "e=", "f-g=", "*= from ./h"}, given("a.js",
		"module.exports = { a, b: c, d() {}, async e() {}, 'f-g': 1, ...require('./h') }"))
	assert.Equal(t, []string{"default=a", "b="}, given("a.js", "exports = module.exports = a;\nexports.b = function () {}"))
	assert.Equal(t, []string{"default=", "*= from ./a"}, given("a.js", "module.exports = require('./a')"))
}

func TestTypeScriptSignatures(t *testing.T) {
	facts := Scan("a.ts", []byte("/** Logs in. */\nexport async function login(\n  user: User, // who\n): Promise<void> {\n  // TODO(ana): #12 limit\n  return go()\n}\nconst limit = 3\nconst f = async (x: T): Promise<T> => x\nclass A<T> extends B { c: number = 1 }\n"))
	var signatures []string
	for _, s := range facts.Symbols {
		signatures = append(signatures, s.Signature)
	}
	assert.Equal(t, []string{"export async function login( user: User, ): Promise<void>", "const limit = 3", "const f = async (x: T): Promise<T>", "class A<T> extends B", "c: number = 1"}, signatures)
	assert.Equal(t, "Logs in.", facts.Symbols[0].Doc)
	require.Len(t, facts.Notes, 1)
	assert.Equal(t, Note{Word: "TODO", Text: "#12 limit", Author: "ana", Issue: "12", Symbol: "login", Line: 5, Code: "return go()"}, facts.Notes[0])
}

const auth = `import { login } from './login'

/** Auth says who it is. */
export class Auth {
  private tries = 3

  /** login opens a session. */
  async login(name: string): Promise<Session> {
    const text = ` + "`hello ${name}`" + `
    return open(name, "x") // login
  }

  logout() { return this.login('') }
}

export const Page = ({ title }) => <p className="a">{title} says <b>hello</b></p>
`

func TestFindInTypeScript(t *testing.T) {
	names := Names("a.tsx", []byte(auth))
	require.Equal(t, []string{"Auth", "Auth.tries", "Auth.login", "Auth.logout", "Page"}, names)
	for _, test := range []struct{ name, old, new, changed string }{
		{"a body", `open(name, "x")`, `open(name, "y")`, "Auth Auth.login"},
		{"a template", "`hello ", "`hullo ", "Auth Auth.login"},
		{"the code in it", "${name}", "${names}", "Auth Auth.login"},
		{"text between tags", "<b>hello", "<b>hi", "Page"},
		{"an attribute", `"a"`, `"b"`, "Page"},
		{"a result", "<Session>", "<void>", "Auth Auth.login"},
		{"a comment in it", "// login", "// login, of course", ""},
		{"its doc", "opens a session", "closes it", ""},
		{"quotes", `"x"`, "'x'", ""},
		{"a semicolon", `"x") //`, `"x"); //`, ""},
		{"its form", "login(name: string)", "login(\n    name: string,\n  )", ""},
		{"indent", "\n  ", "\n\t\t", ""},
		{"line ends", "\n", "\r\n", ""},
		{"a mention elsewhere", "import {", "// Auth.login\nimport { logout, tries, Auth, Page } from 'x'\nimport {", ""},
		{"a neighbour", "logout() {", "logout(x) {", "Auth Auth.logout"},
	} {
		require.Contains(t, auth, test.old)
		after := []byte(strings.ReplaceAll(auth, test.old, test.new))
		var changed []string
		for _, name := range names {
			part := Find("a.tsx", name, after)
			require.True(t, part.Exists && part.Declaration && part.SHA256 != "", "%s: %s", test.name, name)
			if part.SHA256 != Find("a.tsx", name, []byte(auth)).SHA256 {
				changed = append(changed, name)
			}
		}
		assert.Equal(t, test.changed, strings.Join(changed, " "), test.name)
	}
	gone := strings.Replace(auth, "async login(", "async signIn(", 1)
	assert.False(t, Find("a.tsx", "Auth.login", []byte(gone)).Exists, "renamed")
	assert.False(t, Find("a.tsx", "name", []byte(auth)).Exists, "a parameter")
}

// A name need not be a word.
func TestFindQuotedNames(t *testing.T) {
	text := []byte("declare module '*.svg?url' { var a }\nclass A { '--gap' = 1; 'b()'() {}; [Symbol.iterator]() {}; #c; '\x1b[1m' = 2 }\n")
	names := Names("a.ts", text)
	assert.Equal(t, []string{"*.svg?url", "*.svg?url.a", "A", "A.--gap", "A.b()", "A.[Symbol.iterator]", "A.#c"}, names)
	for _, name := range names {
		assert.True(t, Find("a.ts", name, text).Declaration, name)
	}
}

// As long as brackets do not match, what is torn or missing is not called changed or gone, and
// what stands apart from that is read.
func TestFindInTornTypeScript(t *testing.T) {
	for _, test := range []struct{ name, old, new string }{
		{"a bracket is missing", `open(name, "x")`, `open(name, "x"`},
		{"a brace is missing", "// login\n  }", "// login\n"},
		{"one too many", "// login\n", "// login\n }\n"},
		{"a string without end", `"x")`, `"x)`},
		{"a template without end", "${name}`", "${name}"},
		{"an element without end", "</p>", ""},
	} {
		torn := []byte(strings.Replace(auth, test.old, test.new, 1))
		facts := Scan("a.tsx", torn)
		assert.Equal(t, "does not parse", facts.Partial, test.name)
		for _, name := range Names("a.tsx", []byte(auth)) {
			part, was := Find("a.tsx", name, torn), Find("a.tsx", name, []byte(auth))
			assert.True(t, part.Exists, "%s: %s is gone", test.name, name)
			assert.Contains(t, []string{"", was.SHA256}, part.SHA256, "%s: %s", test.name, name)
		}
	}
}

// hostileScripts are texts that are made to keep a scanner busy, of so many bytes.
func hostileScripts(size int) map[string]string {
	all := map[string]string{}
	for name, piece := range map[string]string{
		"templates": "`${", "elements": "<a>", "attributes": "<a b=", "arguments": "<a<b", "slashes": "/[", "angles": "a<b,", "brackets": "[({", "quotes": "'\n", "decorators": "@a(",
		"imports": "import {", "exports": "export * as ", "types": "type a = b?", "classes": "class{", "patterns": "const {", "assigned": "a.b=", "arrows": "=>", "parameters": "<T>(\n",
		"closed": "}>", "namespaces": "namespace a{", "blanks": "< \n", "dots": "a.\n", "enums": "enum a{b=", "members": "class a { b", "invalid": "\xff\n", "nul": "\x00\n", "labels": "a:\n",
	} {
		all[name] = strings.Repeat(piece, size/len(piece)+1)
		all[name+" in lines"] = strings.Repeat(piece+"\n", size/(len(piece)+1)+1)
	}
	return all
}

// Each doubling of a text takes at most two and a half times as long, whatever it is made of.
// Four of them are tried at once, and several times: what grows with the square takes 256 times
// as long, which no other load of the machine comes near.
func TestHostileTypeScriptIsLinear(t *testing.T) {
	const size = 4_000
	long := hostileScripts(16 * size)
	took := func(file, text string) float64 {
		began := time.Now()
		Scan(file, []byte(text))
		return time.Since(began).Seconds()
	}
	for name, text := range hostileScripts(size) {
		for _, file := range []string{"a.ts", "a.tsx"} {
			short, linear := 0.0, false
			for try := 0; try < 50 && !linear; try++ {
				short = max(short, took(file, text))
				linear = took(file, long[name]) < math.Pow(2.5, 4)*short
			}
			assert.True(t, linear, "%s %s", name, file)
		}
	}
}

func TestScriptFilesAreKnown(t *testing.T) {
	for file, language := range map[string]string{
		"a.ts": "TypeScript", "a.d.ts": "TypeScript", "a.mts": "TypeScript", "a.cts": "TypeScript", "a.tsx": "TypeScript",
		"a.js": "JavaScript", "a.jsx": "JavaScript", "a.mjs": "JavaScript", "a.CJS": "JavaScript",
	} {
		path := filepath.Join(t.TempDir(), file)
		require.NoError(t, os.WriteFile(path, []byte("export const a = 1"), 0o600))
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		facts := Scan(path, data)
		assert.Equal(t, language, facts.Language)
		assert.Equal(t, []string{"a"}, Names(path, data))
	}
}

func FuzzTypeScript(f *testing.F) {
	f.Add(auth)
	for _, text := range hostileScripts(40) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, file := range []string{"a.ts", "a.jsx"} {
			checkFacts(t, Scan(file, []byte(text)))
			for _, name := range Names(file, []byte(text)) {
				require.True(t, Find(file, name, []byte(text)).Exists, "%q is starred and not found", name)
			}
		}
	})
}

// checkFacts holds what is true of the facts of any text.
func checkFacts(t *testing.T, facts Facts) {
	t.Helper()
	require.NotEqual(t, "the scanner failed", facts.Partial)
	for _, s := range facts.Symbols {
		require.True(t, s.Name != "" && 1 <= s.From && s.From <= s.To && s.To <= facts.Lines, "%+v", s)
	}
	for _, e := range facts.Exports {
		require.True(t, e.Name != "" && 1 <= e.Line && e.Line <= facts.Lines, "%+v", e)
	}
	for _, i := range facts.Imports {
		require.True(t, i.From != "" && 1 <= i.Line && i.Line <= facts.Lines && !slices.Contains(i.Names, ""), "%+v", i)
	}
}
