package command

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"mvdan.cc/sh/v3/syntax"
)

// oracle reads a line with mvdan.cc/sh: the literal words of every simple
// command and the literal targets of every redirection that writes, in no order.
// simple is false if the line holds what this package leaves out on purpose.
func oracle(line string) (commands, writes []string, simple, valid bool) {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil {
		return nil, nil, false, false
	}
	simple = true
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Redirect:
			if text, ok := oracleWord(n.Word); ok && isWrite(n.Op) && text != "" && (n.Op != syntax.DplOut || !isDescriptor(text)) {
				writes = append(writes, text)
			}
			simple = simple && n.Hdoc == nil && n.N == nil
		case *syntax.CallExpr:
			if text, ok := oracleCall(n); ok {
				commands = append(commands, text)
			}
		case *syntax.BinaryTest, *syntax.ArithmCmd, *syntax.ArithmExp, *syntax.LetClause, *syntax.DeclClause, *syntax.ParamExp, *syntax.ExtGlob,
			*syntax.CoprocClause, *syntax.FuncDecl, *syntax.CaseClause, *syntax.TestClause, *syntax.ArrayExpr, *syntax.TestDecl,
			*syntax.ForClause, *syntax.BraceExp, *syntax.TimeClause:
			simple = false
		}
		return true
	})
	return commands, writes, simple, true
}

func isWrite(op syntax.RedirOperator) bool {
	switch op {
	case syntax.RdrOut, syntax.AppOut, syntax.RdrInOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll, syntax.DplOut:
		return true
	}
	return false
}

func oracleCall(c *syntax.CallExpr) (string, bool) {
	var words []string
	for _, w := range c.Args {
		text, ok := oracleWord(w)
		if !ok {
			return "", false
		}
		words = append(words, text)
	}
	return strings.Join(words, "\x00"), len(words) > 0
}

func oracleWord(w *syntax.Word) (string, bool) {
	if w == nil {
		return "", false
	}
	var b strings.Builder
	for _, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			if strings.ContainsAny(p.Value, `\*?[{~`) {
				return "", false
			}
			b.WriteString(p.Value)
		case *syntax.SglQuoted:
			if p.Dollar {
				return "", false
			}
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			lit := ""
			if len(p.Parts) == 1 {
				if l, ok := p.Parts[0].(*syntax.Lit); ok {
					lit = l.Value
				}
			}
			if p.Dollar || len(p.Parts) > 0 && lit == "" || strings.Contains(lit, `\`) {
				return "", false
			}
			b.WriteString(lit)
		default:
			return "", false
		}
	}
	return b.String(), true
}

// strayWords are reserved words that begin no command.
var strayWords = []string{"then", "elif", "else", "fi", "do", "done", "esac", "in", "}", "]]", "!", "time", "function", "select", "for", "coproc"}

// agree fails the test if the oracle sees a command or a write that Parse missed.
func agree(t *testing.T, line string) {
	commands, writes, simple, valid := oracle(line)
	got, ok := Parse(line)
	if !valid || !simple {
		return
	}
	for _, c := range commands {
		if slices.Contains(strayWords, strings.SplitN(c, "\x00", 2)[0]) {
			return // bash refuses it, the oracle does not
		}
	}
	if !ok && strings.Contains(line, "`") {
		return // bash reads what stands there when it runs it, and refuses what the oracle does not
	}
	assert.True(t, ok, "%q is valid", line)
	var gotCommands, gotWrites []string
	for _, c := range got.Commands {
		gotCommands = append(gotCommands, strings.Join(c.Words, "\x00"))
	}
	gotWrites = append(gotWrites, got.Writes...)
	for _, c := range commands {
		assert.Contains(t, gotCommands, c, "command of %q", line)
	}
	for _, w := range writes {
		assert.Contains(t, gotWrites, w, "write of %q", line)
	}
}

var corpus = []string{
	"cd x && go test ./... 2>&1 | tee out.log", `git commit -m "a > b" && git push`, "npm run build > build.log 2>&1 &",
	"if make; then echo ok > a; else echo no > b; fi", "while read l; do echo $l >> c; done < d", "(cd a; ls) > e; { x; y; } >> f",
	"echo `date > g` $(date > h)", "a=1 b=2 cmd x\"y\"'z'", "cat <<E > i\n$(x)\nE\n", "! a || b && c; d", "find . -name '*.go' -exec grep -l x {} \\;",
	"diff <(a) >(b)", "printf '%s\\n' a\\ b > 'c d'", "# only a comment", "\n\na\n", "echo a#b #c > d", "$'a\\'b' > x", "a>b<c>d", "until a; do b; done",
	"echo \"a $(b \"c\" > d) e\" > f", "a |& b", "x=$(y) z", ">a", "[ a = b ] && c", "echo ${a:-\"}\"} > b", "a;b&c", "case a in (b|c) d;; e) f;& esac",
	"echo ${ rm a > b; }c", "$'0\\", "<<E\nE\n", "0&>0", "a$ && b \"$\"",
}

func TestAgreesWithAFullParser(t *testing.T) {
	for _, line := range corpus {
		t.Run(line, func(t *testing.T) { agree(t, line) })
	}
}

// TestAgreesOnTheCorpus: what a full parser finds in the commands that the gate is held
// against, this one finds as well.
func TestAgreesOnTheCorpus(t *testing.T) {
	for _, file := range append([]string{"seen"}, unseen...) {
		for _, s := range samples(t, "testdata/corpus/"+file+".txt") {
			agree(t, s.line)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, line := range corpus {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if strings.ContainsRune(line, 0) || len(line) > 1000 {
			return
		}
		agree(t, line)
		for _, f := range readAt(line).Files {
			assert.False(t, f.By == "" && f.DirUnknown && path.IsAbs(f.Word.Text))
		}
	})
}
