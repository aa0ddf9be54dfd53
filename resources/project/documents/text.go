package documents

import (
	"strings"
	"unicode"

	"github.com/idumb-dev/idumb/resources/project/manifest"
	"github.com/idumb-dev/idumb/resources/source"
)

// text is what stands in a document, read once.
type text struct {
	front        *manifest.Node // its front matter, nil without
	title        string
	named        bool // the title is one: a heading of the first level, or in the front matter
	sections     []Section
	headings     []string // their texts, in lower case and without numbers
	state        string
	stateLine    int
	supersededBy string
	supersedes   string
	done, open   int // check boxes
	numbered     int // of these, ones that begin with a number: 1.2, T001
	steps        int // headings of steps and phases
	links        []Link
}

// longestLine is what is read of a line, in bytes; longestTitle what is kept of a heading.
const (
	longestLine  = 10000
	longestTitle = 200
)

func readText(data []byte) *text {
	lines := strings.Split(strings.ToValidUTF8(string(data), "\ufffd"), "\n")
	for i, line := range lines {
		if lines[i] = strings.TrimSuffix(line, "\r"); len(lines[i]) > longestLine {
			lines[i] = strings.ToValidUTF8(lines[i][:longestLine], "")
		}
	}
	t := &text{}
	t.readFront(lines)
	t.readHeadings(lines)
	t.readLines(lines)
	return t
}

// readFront reads the front matter, and takes it out of the lines, whose number stays.
func (t *text) readFront(lines []string) {
	if strings.TrimRight(strings.TrimPrefix(lines[0], "\ufeff"), " ") != "---" {
		return
	}
	for end := 1; end < len(lines); end++ {
		if line := strings.TrimRight(lines[end], " "); line != "---" && line != "..." {
			continue
		}
		t.front = manifest.YAML([]byte(strings.Join(lines[1:end], "\n")))
		for i := range end + 1 {
			lines[i] = ""
		}
		break
	}
	if n := t.front.Get("status"); n != nil {
		t.setState(n.Value, n.Line+1)
	}
	for _, key := range []string{"superseded_by", "superseded-by", "supersededBy"} {
		if by := t.front.Text(key); by != "" && t.supersededBy == "" {
			t.supersededBy = linkIn(by)
		}
	}
	t.supersedes = linkIn(t.front.Text("supersedes"))
}

func (t *text) readHeadings(lines []string) {
	for _, h := range source.Headings(lines) {
		t.sections = append(t.sections, Section{Text: clip(h.Text), Level: h.Level, Line: h.Line + 1})
		plain := unnumbered(h.Text)
		t.headings = append(t.headings, plain)
		if isStep(plain) {
			t.steps++
		}
		if h.Level == 1 && t.title == "" {
			t.title = clip(h.Text)
		}
	}
	if t.title == "" {
		t.title = clip(t.front.Text("title"))
	}
	if t.named = t.title != ""; !t.named && len(t.sections) > 0 {
		t.title = t.sections[0].Text
	}
}

func clip(s string) string {
	if len(s) > longestTitle {
		return strings.ToValidUTF8(s[:longestTitle], "")
	}
	return s
}

// unnumbered is a heading in lower case without the number and the marks around it.
func unnumbered(heading string) string {
	plain := strings.ToLower(strings.TrimFunc(heading, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }))
	rest := strings.TrimLeft(plain, "0123456789.")
	if rest != plain && rest != "" && (rest[0] == ' ' || rest[0] == ')') {
		return strings.Trim(rest, " )*_:")
	}
	return plain
}

// isStep reports whether a heading is one of a step: "step 3", "phase 1: setup".
func isStep(heading string) bool {
	word, rest, _ := strings.Cut(heading, " ")
	return rest != "" && rest[0] >= '0' && rest[0] <= '9' && (word == "step" || word == "phase" || word == "task" || word == "milestone")
}

// readLines reads states, boxes and links, in all that is not code.
func (t *text) readLines(lines []string) {
	fence, underStatus := "", false
	for i, line := range lines {
		trimmed := strings.TrimSpace(line)
		if mark := fenceOf(trimmed); mark != "" && (fence == "" || strings.HasPrefix(mark, fence)) {
			if fence == "" {
				fence = mark
			} else {
				fence = ""
			}
			continue
		}
		if fence != "" || trimmed == "" {
			continue
		}
		t.readState(trimmed, i+1, underStatus)
		if name := strings.ToLower(strings.Trim(trimmed, "# :")); trimmed[0] == '#' {
			underStatus = name == "status" || name == "decision status"
		} else {
			underStatus = false
		}
		t.readBox(trimmed)
		t.readLinks(line, i+1)
	}
}

// fenceOf is the mark that begins or ends a block of code, "" of any other line.
func fenceOf(line string) string {
	for _, c := range []string{"`", "~"} {
		if rest := strings.TrimLeft(line, c); len(line)-len(rest) >= 3 {
			return line[:len(line)-len(rest)]
		}
	}
	return ""
}

func (t *text) readBox(line string) {
	if len(line) < 5 || !strings.ContainsRune("-*+", rune(line[0])) || line[1] != ' ' {
		return
	}
	switch {
	case strings.HasPrefix(line[2:], "[ ]"):
		t.open++
	case strings.HasPrefix(line[2:], "[x]"), strings.HasPrefix(line[2:], "[X]"):
		t.done++
	default:
		return
	}
	item := strings.TrimLeft(line[5:], " *T")
	if item != "" && item[0] >= '0' && item[0] <= '9' {
		t.numbered++
	}
}

// readLinks reads [text](path) and [name]: path. What stands in inline code is none.
func (t *text) readLinks(line string, number int) {
	if trimmed := strings.TrimLeft(line, " "); strings.HasPrefix(trimmed, "[") && len(line)-len(trimmed) < 4 {
		if _, to, found := strings.Cut(trimmed, "]: "); found && !strings.HasPrefix(trimmed, "[^") {
			t.addLink(strings.TrimSpace(to), number)
			return
		}
	}
	for i, part := range strings.Split(line, "`") {
		if i%2 == 1 {
			continue
		}
		for _, piece := range strings.Split(part, "](")[1:] {
			if to, _, found := strings.Cut(piece, ")"); found {
				t.addLink(to, number)
			}
		}
	}
}

// mostLinks is how many links of a document are kept.
const mostLinks = 2000

func (t *text) addLink(to string, line int) {
	to = strings.TrimSpace(to)
	if rest, angled := strings.CutPrefix(to, "<"); angled {
		to, _, _ = strings.Cut(rest, ">")
	} else {
		to, _, _ = strings.Cut(to, " ") // a title
	}
	if to != "" && to[0] != '#' && !strings.Contains(to, "://") && !strings.HasPrefix(to, "mailto:") && len(t.links) < mostLinks {
		t.links = append(t.links, Link{to, line})
	}
}
