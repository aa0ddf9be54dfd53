package memory

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// Commit is one commit of the repository.
type Commit struct {
	ID      string         // in hex
	Time    resources.Time // committer time
	Message string
	Files   []string // changed files, from the repository's root, possibly incomplete
	Author  string   // author and author time, which do not change if the commit is amended or rebased
	Parents string   // parent IDs separated by spaces, which do not change if the commit is amended
}

// CommitNote contains the relevant parts of a commit message.
type CommitNote struct {
	Subject  string   // first line without its conventional type and scope
	Type     string   // conventional type in lower case: "feat"; may be empty
	Scope    string   // "auth" in "feat(auth): ..."
	Decision string   // the decision: the subject of a commit of type decision, or a footer Decision
	Breaking string   // the breaking change: a footer BREAKING CHANGE, or the subject if it is marked with "!"
	Body     string   // without subject and footers
	Tasks    []string // names in footers Refs: task/x, without duplicates, in order
}

// Telling reports whether the message is worth a mem: it contains a decision, a
// breaking change or a task.
func (n CommitNote) Telling() bool {
	return n.Decision != "" || n.Breaking != "" || len(n.Tasks) > 0
}

// ReadCommit parses a commit message by Conventional Commits 1.0.0. Footers may be in any
// case: "decision(scope): ...", "feat!: ...", "BREAKING CHANGE: ...", "Refs: task/x,
// task/y" and "Decision: ...".
func ReadCommit(message string) CommitNote {
	var n CommitNote
	subject, rest, _ := strings.Cut(strings.TrimSpace(strings.ReplaceAll(message, "\r\n", "\n")), "\n")
	breaking := n.subject(strings.TrimSpace(subject))
	n.body(rest)
	if n.Type == "decision" {
		n.Decision = joined(n.Subject, n.Decision)
	}
	if breaking && n.Breaking == "" {
		n.Breaking = n.Subject
	}
	return n
}

// subject parses "type(scope)!: text" and reports whether it contains "!".
func (n *CommitNote) subject(line string) (breaking bool) {
	n.Subject = line
	head, text, found := strings.Cut(line, ":")
	if !found || strings.TrimSpace(text) == "" {
		return false
	}
	head, breaking = strings.CutSuffix(head, "!")
	kind, scope, scoped := strings.Cut(head, "(")
	if scoped {
		var closed bool
		if scope, closed = strings.CutSuffix(scope, ")"); !closed {
			return false
		}
	}
	if kind == "" || strings.Trim(strings.ToLower(kind), "abcdefghijklmnopqrstuvwxyz-") != "" {
		return false
	}
	n.Type, n.Scope, n.Subject = strings.ToLower(kind), strings.TrimSpace(scope), strings.TrimSpace(text)
	return breaking
}

// body parses the text after the subject. Footers may be anywhere in it. Indented lines
// continue a footer; for BREAKING CHANGE, all lines up to the next blank line do.
func (n *CommitNote) body(text string) {
	var kept []string
	var open *string // footer that the next line may continue
	whole := false
	for line := range strings.SplitSeq(text, "\n") {
		switch token, value, isFooter := footer(line); {
		case isFooter:
			open, whole = n.footer(token, value), strings.HasPrefix(token, "breaking")
		case open != nil && line != "" && (whole || line[0] == ' ' || line[0] == '\t'):
			*open = joined(*open, line)
		default:
			open = nil
			kept = append(kept, strings.TrimRight(line, " \t"))
		}
	}
	n.Body = strings.TrimSpace(strings.Join(kept, "\n"))
}

// footer parses a line as a footer. ok is false for a line without a known
// token, which is part of the text.
func footer(line string) (token, value string, ok bool) {
	token, value, ok = strings.Cut(line, ":")
	token = strings.ToLower(token)
	switch token {
	case "breaking change", "breaking-change", "refs", "decision", "signed-off-by", "co-authored-by", "reviewed-by", "acked-by", "change-id":
		return token, strings.TrimSpace(value), ok
	}
	return "", "", false
}

// footer stores a footer and returns the destination of its continuation lines.
func (n *CommitNote) footer(token, value string) *string {
	switch token {
	case "breaking change", "breaking-change":
		n.Breaking = joined(n.Breaking, value)
		return &n.Breaking
	case "decision":
		n.Decision = joined(n.Decision, value)
		return &n.Decision
	case "refs":
		n.refs(value)
	}
	return new(string)
}

// refs adds the tasks in "task/x, task/y" and ignores all other words.
func (n *CommitNote) refs(value string) {
	for _, word := range strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == ';' }) {
		kind, name, qualified := strings.Cut(word, "/")
		k, known := resources.LookupKind(kind)
		if !qualified || !known || k.Plural != resources.Tasks || resources.CheckName(name) != nil {
			continue
		}
		if !slices.Contains(n.Tasks, name) {
			n.Tasks = append(n.Tasks, name)
		}
	}
}

// joined joins two texts with a space, unless one of them is blank.
func joined(a, b string) string {
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}
