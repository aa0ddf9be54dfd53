package memory

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// Commit is one commit of the repository.
type Commit struct {
	ID      string         // in hex
	Time    resources.Time // by its committer's clock
	Message string
	Files   []string // that it changed, from the repository's root; some of them
	Author  string   // who wrote it, and when: what a commit keeps that is amended or rebased
	Parents string   // the ids of those that it follows, with blanks between: what a commit keeps that is amended
}

// CommitNote is what a commit's message says that is worth remembering.
type CommitNote struct {
	Subject  string   // the first line, without its conventional type and scope
	Type     string   // its conventional type in small letters: "feat"; "" for none
	Scope    string   // "auth" of "feat(auth): ..."
	Decision string   // what was decided: the subject of a commit of type decision, or a footer Decision
	Breaking string   // what breaks: a footer BREAKING CHANGE, or the subject where "!" marks it
	Body     string   // without subject and footers
	Tasks    []string // the names in footers Refs: task/x, each once, in their order
}

// Telling reports whether there is anything to remember.
func (n CommitNote) Telling() bool {
	return n.Decision != "" || n.Breaking != "" || len(n.Tasks) > 0
}

// ReadCommit reads a commit message as Conventional Commits 1.0.0 has it, footers in any
// case: "decision(scope): ...", "feat!: ...", "BREAKING CHANGE: ...", "Refs: task/x, task/y",
// and, as a footer, "Decision: ...".
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

// subject reads "type(scope)!: text" and reports whether "!" is there.
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

// body reads what follows the subject. A footer may stand anywhere in it and goes on
// over lines that are indented or, for BREAKING CHANGE, up to the next blank line.
func (n *CommitNote) body(text string) {
	var kept []string
	var open *string // the footer that the next line may belong to
	whole := false
	for line := range strings.SplitSeq(text, "\n") {
		token, value, isFooter := footer(line)
		switch {
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

// footers are the tokens that are read, in small letters; others are part of the text,
// but for those that say who did it.
func footer(line string) (token, value string, ok bool) {
	token, value, ok = strings.Cut(line, ":")
	token = strings.ToLower(token)
	switch token {
	case "breaking change", "breaking-change", "refs", "decision", "signed-off-by", "co-authored-by", "reviewed-by", "acked-by", "change-id":
		return token, strings.TrimSpace(value), ok
	}
	return "", "", false
}

// footer takes in a footer and returns where further lines of it go.
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

// refs takes in "task/x, task/y" and leaves out everything else.
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

// joined is two texts as one, with a blank between them where both say something.
func joined(a, b string) string {
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}
