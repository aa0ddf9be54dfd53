package source

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// listed is a line for each symbol: its lines, kind, name and a plus if it is exported.
func listed(facts Facts) string {
	var lines []string
	for _, s := range facts.Symbols {
		line := fmt.Sprintf("%d-%d %s %s", s.From, s.To, s.Kind, s.Full())
		if s.Exported {
			line += " +"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func symbol(t *testing.T, facts Facts, name string) Symbol {
	for _, s := range facts.Symbols {
		if s.Full() == name {
			return s
		}
	}
	require.Fail(t, "no symbol is called "+name)
	return Symbol{}
}

// changeOf is a change of a file, and the symbols that count as changed by it.
type changeOf struct{ name, old, new, changed string }

// noticed asserts that evidence by any symbol of a file changes with what it cites, and with
// nothing else.
func noticed(t *testing.T, file, text string, changes []changeOf) {
	for _, c := range changes {
		require.Contains(t, text, c.old, c.name)
		after := []byte(strings.ReplaceAll(text, c.old, c.new))
		var changed []string
		for _, name := range Names(file, []byte(text)) {
			was := Find(file, name, []byte(text))
			require.NotEmpty(t, was.SHA256, name)
			if Find(file, name, after).SHA256 != was.SHA256 {
				changed = append(changed, name)
			}
		}
		assert.Equal(t, c.changed, strings.Join(changed, " "), c.name)
	}
}

// fuzzed scans whatever text: it ends, in time that grows with the text, and says only what is
// in it.
func fuzzed(f *testing.F, file, seed string) {
	f.Add(seed)
	for _, odd := range hostile() {
		f.Add(strings.Repeat(odd, 100))
		f.Add(seed[:len(seed)/2] + strings.Repeat(odd, 10))
	}
	f.Fuzz(func(t *testing.T, text string) {
		facts := Scan(file, []byte(text))
		assert.NotEqual(t, "the scanner failed", facts.Partial)
		assert.Equal(t, facts, Scan(file, []byte(text)), "the same for the same bytes")
		if facts.Partial == "" {
			assertOutline(t, file, []byte(text))
		}
		for _, s := range facts.Symbols {
			assert.True(t, s.Name != "" && 1 <= s.From && s.From <= s.To && s.To <= facts.Lines, s)
			assert.True(t, Find(file, s.Full(), []byte(text)).Exists, s)
		}
	})
}

// hostile are pieces of text that end prototypes when they are repeated.
func hostile() []string {
	return []string{
		"(", "{", "[", "<", ">", "a<", "(<", "<(", "a,", "a<b,", "\"", "'", "`", "\"\"\"", "r#\"", "/*", "*/", "/*/", "//", "#", "#[", "@", "@a", "@a(", "=", "\\", "\\\n",
		"$", "${", "\"${", "\"$(", "$\"{", "$@\"", "R\"(", "R\"x(", "\x00", "\xff", "\xc3", "\u2028", "a", "a ", "a::", "a.", "class a{", "class a", "enum a{b,", "fn f(", "impl a for b{",
		"use a::{", "mod a{", "namespace a{", "#if x\n", "#else\n", "#define a \\\n", "template<", "a(b){", "int a(", "fun a(", "record a(", "where ", "=>", "->", "::", ";", "\n", "\r\n",
	}
}

// Nothing that a file may hold costs more than its size: what takes the square of it would take
// minutes at this size.
func TestHostileCode(t *testing.T) {
	for _, l := range languages() {
		for _, odd := range hostile() {
			if l.scan == nil || l.name == "Go" {
				continue
			}
			for _, unit := range []string{odd, odd + "\n"} {
				data := []byte(strings.Repeat(unit, (128<<10)/len(unit)))
				began := time.Now()
				l.scan(input{language: l.name, data: data})
				assert.Less(t, time.Since(began), 2*time.Second, "%s %q", l.name, unit)
			}
		}
	}
}

// What no person writes is read up to a bound, and the file is partial: a comment or a declaration
// in each of its lines, however short.
func TestBoundsOfAFile(t *testing.T) {
	for text, partial := range map[string]string{"def a\n": "over 25,000 declarations", "x = \n": "over 25,000 declarations", "a #\n": "over 25,000 comments"} {
		facts := Scan("a.py", []byte(strings.Repeat(text, 100_000)))
		assert.Equal(t, partial, facts.Partial, text)
		assert.LessOrEqual(t, len(facts.Symbols)+len(facts.Comments), maxSymbols+1, text)
	}
}
