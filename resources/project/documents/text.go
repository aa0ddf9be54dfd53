package documents

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/project/manifest"
	"github.com/idumb-dev/idumb/resources/source"
)

// text is what stands in a document, read once.
type text struct {
	front        *manifest.Node // its front matter, nil without
	title        string
	state        string
	stateLine    int
	supersededBy string
	supersedes   string
	done, open   int // check boxes
	links        []Link
}

// longestLine is what is read of a line, in bytes; longestTitle what is kept of what it says.
const (
	longestLine  = 10000
	longestTitle = 200
)

func readText(data []byte) *text {
	lines := strings.Split(strings.ToValidUTF8(strings.TrimPrefix(string(data), "\ufeff"), "\ufffd"), "\n")
	for i, line := range lines {
		if lines[i] = strings.TrimSuffix(line, "\r"); len(lines[i]) > longestLine {
			lines[i] = strings.ToValidUTF8(lines[i][:longestLine], "")
		}
	}
	t := &text{}
	front := source.FrontMatter(lines)
	t.readFront(lines[:front])
	t.readTitle(lines[front:])
	t.readLines(lines)
	return t
}

// readFront reads the front matter with the lines around it.
func (t *text) readFront(lines []string) {
	if len(lines) < 2 {
		return
	}
	t.front = manifest.YAML([]byte(strings.Join(lines[1:len(lines)-1], "\n")))
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

// readTitle takes the first heading of the first level, else what the front matter says, else the first heading.
func (t *text) readTitle(lines []string) {
	headings := source.Headings(lines)
	if i := slices.IndexFunc(headings, func(h source.Heading) bool { return h.Level == 1 }); i >= 0 {
		t.title = clip(headings[i].Text)
	} else if t.title = clip(t.front.Text("title")); t.title == "" && len(headings) > 0 {
		t.title = clip(headings[0].Text)
	}
}

// clip is what is kept of a text of strangers: nothing that a terminal obeys, and not too long.
func clip(s string) string {
	s = strings.Map(resources.Visible, s[:min(len(s), longestTitle)])
	return strings.ToValidUTF8(s, "")
}

// readLines reads states, boxes and links, in all that is not code.
func (t *text) readLines(lines []string) {
	underStatus := false
	for i, line := range source.Prose(lines) {
		trimmed := strings.TrimSpace(line)
		if trimmed == "" {
			continue
		}
		t.readState(trimmed, i+1, underStatus)
		name := strings.ToLower(strings.Trim(trimmed, "# :"))
		underStatus = trimmed[0] == '#' && (name == "status" || name == "decision status")
		t.readBox(line)
		t.readLinks(line, i+1)
	}
}

func (t *text) readBox(line string) {
	if box := source.Box(line); box >= 0 && line[box] == ' ' {
		t.open++
	} else if box >= 0 {
		t.done++
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
