package dash

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/attention"
)

// writers are the methods of a screen by which a text gets to the terminal.
var writers = map[string]bool{
	"Put": true, "PutStr": true, "PutStrStyled": true, "SetContent": true, "Fill": true, "FillArea": true, "SetTitle": true, "SetClipboard": true, "ShowNotification": true,
}

// Only the sink writes to the screen, and what it writes went through fit.
func TestOneSink(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		require.NoError(t, err)
		ast.Inspect(parsed, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if f, ok := call.Fun.(*ast.SelectorExpr); ok && writers[f.Sel.Name] {
				assert.Equal(t, "sink.go", file, "%s is called in %s: text goes to the screen by canvas.text alone", f.Sel.Name, file)
			}
			return true
		})
	}
	source, err := os.ReadFile("sink.go")
	require.NoError(t, err)
	assert.Equal(t, 1, strings.Count(string(source), "terminal.EscapeLine("), "and there is one way through it")
}

// evil is a text that does all that a text can do to a terminal.
const evil = "\x1b]52;c;ZXZpbA==\a\x1b[2J\u009b31m\u202e" + "<img onerror=x>\x00\r\n\t\xff\u200b界界\U0001f468\u200d\U0001f469"

// hostile is a state of which each text is evil.
func hostile() State {
	text := evil + strings.Repeat("a\u0301", 200) + "b" + strings.Repeat("\u0302", 2000)
	about := "task/" + text
	at := resources.NewTime(noon.Add(-time.Minute))
	s := State{Live: true, Dash: queries.Dash{
		Overview: queries.Overview{Mode: text, Plans: []queries.PlanProgress{{Name: text, Title: text, Phase: text, Total: 1}}, Next: []queries.NextDocument{{Name: text, Plan: text, Title: text}}, NoReadyReason: text},
		Sessions: []queries.Top{{Name: text, Host: text, Agent: text, Task: text, LastCall: &resources.LastCall{Tool: text, Target: text, At: at}}},
		Tasks:    []queries.DashTask{{Name: text, Plan: text, Title: text, Phase: text, Stage: text, Priority: text, Holder: text, Needs: []string{text, "x"}, Waits: []string{text, text}, Labels: map[string]string{text: text}}},
		Memory:   []queries.MemoryFinding{{Object: "mem/" + text, Reason: text, Text: text}},
		Avoid:    []queries.MemoryFinding{{Object: "mem/" + text, Reason: text, Text: text}},
	}, Events: []resources.Event{{Time: at, Type: text, Reason: text, Object: about, Message: text}},
		Denied: []resources.Event{{Time: at, Reason: text, Message: text, Violation: &resources.Violation{Session: text, Rule: text, Call: text, Task: text}}}}
	for rank := attention.Asks; rank <= attention.Untrusted; rank++ {
		s.Needs = append(s.Needs, attention.Need{Name: text, Rank: rank, Sign: attention.Sign(text), Reason: text, Subject: text, Text: text, Why: text, Object: about, Since: at, Do: []attention.Action{{Verb: text, Args: []string{text}, Command: text, Text: true}}})
	}
	return s
}

// Nothing that strangers wrote acts on the terminal, on any screen, and each column stays where it is.
func TestHostileText(t *testing.T) {
	for _, k := range []kindOfTerminal{colourful, {false, false}} {
		for _, width := range []int{20, 80, 140} {
			d := newDesk(t, width, 30, k, hostile())
			d.describe = func(string) *queries.Description {
				return &queries.Description{Remarks: []queries.Remark{{Name: evil, Author: evil, Type: evil, State: evil, Body: evil}}, Object: []byte(`{"apiVersion":"` + "\\u001b" + `]52;c;x"}`)}
			}
			d.said = evil + "\n" + evil
			for _, keys := range [][]string{{"1"}, {"a"}, {"esc", "2"}, {"g"}, {"down", "enter"}, {"esc", "3"}, {"4"}, {"?"}, {"esc", "1", "s"}, {"esc", ":", "'" + "x\u202e"}} {
				for _, line := range d.types(keys...).lines() {
					for _, r := range line {
						assert.False(t, unicode.IsControl(r) || r == '\u202e' || r == '\u200b', "%q after %v", line, keys)
					}
					assert.LessOrEqual(t, d.canvas.wide(line), width, "%q after %v", line, keys)
					assert.Less(t, len(line), 40*width)
				}
			}
			assert.NotContains(t, d.term.GetTitle(), "\x1b")
			assert.Zero(t, d.term.Bells())
		}
	}
}

// The lines of the plain dashboard are as harmless.
func TestHostilePlain(t *testing.T) {
	m := newModel(t.Context(), Options{Host: &desk{}, Repository: evil, Unicode: true, Now: func() time.Time { return noon }})
	s, empty := hostile(), State{}
	m.take(s)
	var b strings.Builder
	require.NoError(t, printLines(&b, append(m.plainNow(), changes(&empty, &s, true)...), true))
	for _, r := range b.String() {
		assert.False(t, r != '\n' && unicode.IsControl(r) || r == '\u202e', "%U", r)
	}
}

func FuzzFit(f *testing.F) {
	f.Add(evil, 10)
	f.Add("界", 1)
	f.Fuzz(func(t *testing.T, s string, columns int) {
		columns = 1 + (columns&0xff)%200
		for _, unicode := range []bool{true, false} {
			c := canvas{unicode: unicode}
			fitted := c.fitText(s, columns)
			assert.LessOrEqual(t, c.wide(fitted), columns)
			assert.NotContains(t, fitted, "\x1b")
			assert.True(t, unicode || isASCII(fitted))
		}
	})
}
