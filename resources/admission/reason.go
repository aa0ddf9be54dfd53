package admission

import (
	"strings"
	"time"
	"unicode"

	"github.com/idumb-dev/idumb/resources"
)

// Reason is a denial that teaches. All of its texts may quote files that
// strangers wrote; Text makes them safe to show.
type Reason struct {
	Rule       string   // which rule objected: "write-gate", "governed-path", ...
	Action     string   // "write", "shell", ...: what the first line says was denied
	Retry      bool     // the same call was denied for the same reason before
	What       string   // what was tried, and what is in the way
	Why        []string // the causes, a line each
	UseInstead string   // one step that works as printed
	Otherwise  string   // a way past, where there is one; "" if not
	Evidence   []string // where to look it up
	Chain      Chain    // where the work stands
}

// retryWindow is how long a denial counts for telling a retry.
const retryWindow = 10 * time.Minute

// IsRetry reports whether the same call of the same session was denied for the
// same reason shortly before; previous may be nil.
func (r Reason) IsRetry(call Call, previous *Denial, now time.Time) bool {
	return previous != nil && previous.Call == call.Signature() && previous.Rule == r.Rule && now.Sub(previous.Time) < retryWindow
}

// Chain is the plan that a denial is about, task by task.
type Chain struct {
	Plan  string // "" if there is none to show
	Phase string
	Links []Link
	More  int // tasks that were left out
	// Done and All are how many of the plan's tasks are completed, and how many there are; All is
	// 0 where nobody counted. Drift says how far the session strayed from its task, "" for not far.
	Done, All int
	Drift     string
}

// Link is one task of a Chain.
type Link struct {
	Task  string
	Phase string
	Note  string // "blocking", "your task", "ready"
}

// Instead is what to do in one line, with the way past where there is one.
func (r Reason) Instead() string { return strings.TrimSpace(r.UseInstead + " " + r.Otherwise) }

// Text renders the reason of a denial for the agent.
func (r Reason) Text() string {
	first := "GOVERNANCE BLOCK: " + clean(r.Action) + " denied"
	if r.Retry {
		first += " (again: follow USE INSTEAD before you repeat the call)"
	}
	return r.under(first)
}

// Question renders the reason for the person who is asked about the call. A client without a person
// denies the call by itself, and gives its model the same text.
func (r Reason) Question() string {
	return r.under("GOVERNANCE ASKS: may this " + clean(r.Action) + " call run? If no user answers, this is a GOVERNANCE BLOCK, and it is denied.")
}

// under renders the reason under its first line.
func (r Reason) under(first string) string {
	var b strings.Builder
	b.WriteString(first + "\n\n")
	section(&b, "WHAT: ", r.What)
	section(&b, "WHY: ", r.Why...)
	section(&b, "USE INSTEAD: ", r.Instead())
	if len(r.Evidence) > 0 {
		section(&b, "EVIDENCE: ", strings.Join(r.Evidence, "; "))
	}
	r.Chain.write(&b)
	return strings.TrimRight(b.String(), "\n")
}

// section writes a label and its lines, the later ones indented under the first.
func section(b *strings.Builder, label string, lines ...string) {
	for i, line := range lines {
		if i > 0 {
			label = strings.Repeat(" ", len(label))
		}
		if line != "" {
			b.WriteString(label + clean(line) + "\n")
		}
	}
}

func (c Chain) write(b *strings.Builder) {
	if c.Plan == "" {
		return
	}
	b.WriteString("\nCHAIN " + clean(c.Plan) + " [" + clean(c.Phase) + "]")
	if c.All > 0 {
		b.WriteString(" " + digits(c.Done) + "/" + digits(c.All) + " completed")
	}
	if c.Drift != "" {
		b.WriteString("; your drift is " + clean(c.Drift))
	}
	b.WriteByte('\n')
	for _, l := range c.Links {
		b.WriteString("  " + clean(l.Task) + " [" + clean(l.Phase) + "]")
		if l.Note != "" {
			b.WriteString("  <- " + l.Note)
		}
		b.WriteByte('\n')
	}
	if c.More > 0 {
		b.WriteString("  (" + count(c.More, "more task") + ": idumb tree)\n")
	}
}

// maxLine is how much of one line of a denial is kept: enough for two long
// sentences, too little for a resource to take over the answer.
const maxLine = 600

// Plain makes a text that strangers wrote safe to show in one line, and cuts it
// to a length that leaves room for our own.
func Plain(s string) string { return strings.Join(strings.Fields(clean(s)), " ") }

// Whole makes a text that strangers wrote safe to show, with its lines and uncut.
func Whole(s string) string {
	return disarmed(strings.Map(func(r rune) rune {
		if r = resources.Visible(r); r < 0 || r == unicode.ReplacementChar {
			return ' '
		}
		return r
	}, s))
}

// clean makes text of strangers safe to show in a line: what nobody sees becomes a space, tags
// are disarmed, and what is too long is cut. Of an escape sequence all but its first character
// is shown: a person who is asked must see all of a command.
func clean(s string) string {
	s = strings.NewReplacer("\n", " ", "\t", " ").Replace(Whole(s))
	if len(s) <= maxLine {
		return s
	}
	cut := maxLine
	for cut > 0 && s[cut]&0xC0 == 0x80 {
		cut--
	}
	return s[:cut] + "..."
}

// disarmed escapes what opens a tag: an agent reads a denial as it reads what its
// host says in tags, and must not take a title for that. "a < b" is left alone.
func disarmed(s string) string {
	if !strings.ContainsRune(s, '<') {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		if r == '<' && i+1 < len(s) && s[i+1] != ' ' && s[i+1] != '-' && s[i+1] != '=' {
			b.WriteString("&lt;")
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
