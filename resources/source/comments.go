package source

import (
	"bytes"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// finish attaches each comment to the declaration that follows or contains it, extracts
// notes, and returns the facts of the file.
func (u *unit) finish() Facts {
	slices.SortStableFunc(u.Symbols, func(a, b Symbol) int {
		if a.From != b.From {
			return a.From - b.From
		}
		if a.To != b.To {
			return b.To - a.To // outer declarations first
		}
		return len(a.Owner) - len(b.Owner)
	})
	slices.SortStableFunc(u.Imports, func(a, b Import) int { return a.Line - b.Line })
	groups := u.groups()
	u.Generated = u.Generated || generated(groups)
	u.attach(groups)
	for _, c := range groups {
		u.notes(c)
	}
	slices.SortStableFunc(u.Notes, func(a, b Note) int { return a.Line - b.Line })
	u.Comments = append(u.Comments, groups...)
	slices.SortStableFunc(u.Comments, func(a, b Comment) int { return a.From - b.From })
	return u.Facts
}

// groups returns the comments of a file. It merges consecutive line comments without code
// on their lines.
func (u *unit) groups() (all []Comment) {
	joins := false
	var texts []string // texts to merge into the last comment
	for _, t := range u.comments {
		body := string(u.data[t.from:t.to])
		c := Comment{Text: bare(body), From: int(t.line), To: int(t.line) + breaks(u.data[t.from:t.to])}
		alone := u.isFirstInLine(int(t.from))
		if n := len(all) - 1; joins && alone && !strings.HasPrefix(body, "/*") && all[n].To == c.From-1 {
			texts, all[n].To = append(texts, c.Text), c.To
			continue
		}
		join(all, texts)
		all, texts = append(all, c), []string{c.Text}
		joins = alone && !strings.HasPrefix(body, "/*")
		if !alone {
			all[len(all)-1].Doc = false
		}
	}
	join(all, texts)
	return all
}

// join sets the text of the last comment to the merged texts.
func join(all []Comment, texts []string) {
	if len(texts) > 1 {
		all[len(all)-1].Text = strings.Join(texts, "\n")
	}
}

// isFirstInLine reports whether only white space precedes an offset in its line.
func (u *unit) isFirstInLine(at int) bool {
	from := bytes.LastIndexByte(u.data[:at], '\n') + 1
	return len(bytes.TrimLeft(u.data[from:at], " \t")) == 0
}

// attach assigns comments to symbols. A comment above a symbol becomes its doc comment. Any
// other comment belongs to the innermost symbol around it.
func (u *unit) attach(groups []Comment) {
	at := map[int]int{} // first symbol of a line
	for i, s := range slices.Backward(u.Symbols) {
		at[s.From] = i
	}
	var within []int
	next := 0
	for i := range groups {
		c := &groups[i]
		for ; next < len(u.Symbols) && u.Symbols[next].From <= c.From; next++ {
			within = append(within, next)
		}
		for len(within) > 0 && u.Symbols[within[len(within)-1]].To < c.From {
			within = within[:len(within)-1]
		}
		if n, found := at[c.To+1]; found && u.startsLine(c.From) {
			c.Doc, c.Symbol = true, u.Symbols[n].Full()
			u.document(n, c.Text)
		} else if len(within) > 0 {
			c.Symbol = u.Symbols[within[len(within)-1]].Full()
		}
	}
}

// startsLine reports whether a line begins with a comment.
func (u *unit) startsLine(line int) bool {
	i, found := slices.BinarySearchFunc(u.tokens, line, func(t token, line int) int { return int(t.line) - line })
	if !found {
		return true
	}
	j, _ := slices.BinarySearchFunc(u.comments, line, func(t token, line int) int { return int(t.line) - line })
	return j < len(u.comments) && u.comments[j].from < u.tokens[i].from
}

// document sets the doc comment of a symbol and of the symbols that begin in the same line.
func (u *unit) document(n int, doc string) {
	first, sum := u.docOf(doc)
	for line := u.Symbols[n].From; n < len(u.Symbols) && u.Symbols[n].From == line; n++ {
		if u.Symbols[n].DocSum == "" {
			u.Symbols[n].Doc, u.Symbols[n].DocSum = first, sum
		}
	}
}

// docOf returns the first line of a comment, and a checksum of its words. Both are empty
// for an empty comment.
func (u *unit) docOf(doc string) (first, sum string) {
	if u.outline {
		return "", ""
	}
	words := strings.Fields(doc)
	if len(words) == 0 {
		return "", ""
	}
	for line := range strings.Lines(doc) {
		if first = strings.TrimSpace(line); first != "" {
			break
		}
	}
	return cut(first, maxSignature), hexSum([]byte(strings.Join(words, " ")))
}

// commentMarks lists comment markers, longer ones first.
var commentMarks = [...]string{"/**", "/*!", "/*", "//!", "///", "//", "#!", "##", "#", "--", "<!--", ";;", ";", "%", "*", `"`}

// bare returns the text of a comment without its markers.
func bare(comment string) string {
	comment = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(comment), "*/"), "-->")
	var b strings.Builder
	for line := range strings.Lines(comment) {
		line = strings.TrimSpace(line)
		for _, mark := range commentMarks {
			if rest, found := strings.CutPrefix(line, mark); found {
				line = rest
				break
			}
		}
		b.WriteString(strings.TrimSpace(line))
		b.WriteByte('\n')
	}
	return strings.Trim(b.String(), "\n")
}

// generated reports whether a comment near the start of a file marks it as generated, by
// Go's convention or by other common phrases.
func generated(groups []Comment) bool {
	for _, c := range groups[:min(len(groups), 4)] {
		head := strings.ToLower(c.Text[:min(len(c.Text), 600)])
		if c.From <= 40 && (strings.Contains(head, "do not edit") || strings.Contains(head, "@generated") ||
			strings.Contains(head, "auto-generated") || strings.Contains(head, "autogenerated")) {
			return true
		}
	}
	return false
}

// claimed maps words for the state of a document to artifact states. Other words are
// ignored.
var claimed = map[string]string{
	"draft": resources.ArtifactDraft, "proposed": resources.ArtifactDraft, "wip": resources.ArtifactDraft,
	"active": resources.ArtifactActive, "accepted": resources.ArtifactActive, "approved": resources.ArtifactActive, "current": resources.ArtifactActive, "final": resources.ArtifactActive,
	"completed": resources.ArtifactCompleted, "complete": resources.ArtifactCompleted, "done": resources.ArtifactCompleted, "implemented": resources.ArtifactCompleted,
	"superseded": resources.ArtifactSuperseded, "deprecated": resources.ArtifactSuperseded, "obsolete": resources.ArtifactSuperseded, "replaced": resources.ArtifactSuperseded,
	"abandoned": resources.ArtifactAbandoned, "rejected": resources.ArtifactAbandoned, "withdrawn": resources.ArtifactAbandoned, "cancelled": resources.ArtifactAbandoned,
}

// claimWithin is the number of text lines that are searched for the state of a document.
const claimWithin = 15

// claimOf returns the state that a document declares: in the field status or state of its
// front matter, or in a line "Status: Superseded by ..." near its start. It returns "" if
// there is no such line.
func claimOf(lines []string) string {
	text := FrontMatter(lines)
	for i, line := range lines[:min(len(lines), text+claimWithin)] {
		name, value, found := strings.Cut(strings.TrimLeft(line, "-*_> \t"), ":")
		name = strings.ToLower(strings.Trim(name, "*_ \t"))
		if !found || name != "status" && (name != "state" || i >= text) {
			continue
		}
		words := strings.FieldsFunc(strings.ToLower(value), func(r rune) bool { return r < 'a' || r > 'z' })
		if len(words) > 0 && claimed[words[0]] != "" {
			return claimed[words[0]]
		}
	}
	return ""
}
