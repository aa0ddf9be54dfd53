package admission

import (
	"strings"
	"time"
	"unicode"

	"github.com/idumb-dev/idumb/resources"
)

// Reason explains a denial. Its texts may quote untrusted files; Text makes them safe to
// show.
type Reason struct {
	Rule       string   // name of the objecting rule: "write-gate", "governed-path", ...
	Action     string   // denied action for the first line: "write", "shell", ...
	Retry      bool     // the same call was recently denied for the same reason
	What       string   // attempted action and the obstacle
	Why        []string // causes, one per line
	UseInstead string   // one working step
	Otherwise  string   // another way, or ""
	Evidence   []string // sources
	Chain      Chain    // state of the work
}

// retryWindow is the time in which a repeated denial counts as a retry.
const retryWindow = 10 * time.Minute

// IsRetry reports whether the session recently had the same call denied for the same
// reason, with the same step. After it followed a step, the next step is another one.
// previous may be nil.
func (r Reason) IsRetry(call Call, previous *Denial, now time.Time) bool {
	return previous != nil && previous.Call == call.Signature() && previous.Rule == r.Rule && (previous.Step == "" || previous.Step == r.UseInstead) && now.Sub(previous.Time) < retryWindow
}

// Chain is the plan of a denial with its tasks.
type Chain struct {
	Plan  string // empty if there is no plan
	Phase string
	Links []Link
	More  int // number of tasks left out
	// Done is the number of completed tasks of the plan and All the number of tasks, or 0
	// if they were not counted. Drift describes how far the session drifted from its task,
	// or is "". Anchors and Checkpoints count the session's records, and Outputs describes
	// the tool outputs in its context; it is "" if no output is recorded.
	Done, All            int
	Drift, Outputs       string
	Anchors, Checkpoints int
}

// Link is one task of a Chain.
type Link struct {
	Task  string
	Phase string
	Note  string // "blocking", "your task", "ready"
}

// Instead returns the alternative steps in one line.
func (r Reason) Instead() string { return strings.TrimSpace(r.UseInstead + " " + r.Otherwise) }

// Text formats the denial for the agent.
func (r Reason) Text() string {
	first := "GOVERNANCE BLOCK: " + clean(r.Action) + " denied"
	if r.Retry {
		first += " (again: follow USE INSTEAD before you repeat the call)"
	}
	return r.underLine(first)
}

// Question formats the question for the person. Clients without a person deny the call and
// pass the same text to the model.
func (r Reason) Question() string {
	return r.underLine("GOVERNANCE ASKS: may this " + clean(r.Action) + " call run? If no user answers, this is a GOVERNANCE BLOCK, and it is denied.")
}

// underLine formats the reason below a first line.
func (r Reason) underLine(first string) string {
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

// section writes a label with its lines. Later lines are indented.
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

// write writes the plan with its tasks and the drift of the session as the last part of a denial.
func (c Chain) write(b *strings.Builder) {
	if c.Plan == "" {
		return
	}
	b.WriteString("\nCHAIN " + clean(c.Plan) + " [" + clean(c.Phase) + "]")
	if c.All > 0 {
		b.WriteString(" " + digits(c.Done) + "/" + digits(c.All) + " completed")
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
	if c.Drift != "" {
		b.WriteString("DRIFT: " + clean(c.Drift))
		if c.Outputs != "" {
			b.WriteString("; " + count(c.Anchors, "anchor") + ", " + count(c.Checkpoints, "checkpoint") + " recorded in this session")
			b.WriteString("\nPOISONING LEVEL: " + clean(c.Outputs))
		}
		b.WriteByte('\n')
	}
}

// maxLine is the maximum length of a line: enough for two long sentences, but too short for
// a resource to dominate the answer.
const maxLine = 600

// Plain makes an untrusted text safe to show in one line of limited length.
func Plain(s string) string { return strings.Join(strings.Fields(clean(s)), " ") }

// SafeText makes an untrusted text safe to show, with all its lines.
func SafeText(s string) string {
	return disarmed(strings.Map(func(r rune) rune {
		if r = resources.Visible(r); r < 0 || r == unicode.ReplacementChar {
			return ' '
		}
		return r
	}, s))
}

// clean makes an untrusted text safe to show in a line. Invisible characters become
// spaces, tags are escaped, and long texts are shortened. Only the first character of an
// escape sequence is replaced, so that persons see the whole command.
func clean(s string) string {
	s = strings.NewReplacer("\n", " ", "\t", " ").Replace(SafeText(s))
	if len(s) <= maxLine {
		return s
	}
	cut := maxLine
	for cut > 0 && s[cut]&0xC0 == 0x80 {
		cut--
	}
	return s[:cut] + "..."
}

// disarmed escapes opening tags, so that agents cannot confuse a quoted title with tags of
// the host. "a < b" is not changed.
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
