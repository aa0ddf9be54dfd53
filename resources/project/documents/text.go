package documents

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/project/manifest"
	"github.com/idumb-dev/idumb/resources/source"
)

// text is the parsed content of a document.
type text struct {
	front        *manifest.Node // front matter, or nil
	title        string
	state        string
	stateLine    int
	supersededBy string
	supersedes   string
	done, open   int // checkboxes
	links        []Link
}

// longestLine limits the bytes of a line that are read, and longestTitle the length of
// extracted text.
const (
	longestLine  = 10000
	longestTitle = 200
)

// readText parses the content of a Markdown file. It truncates lines after longestLine bytes.
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
	// The title is the first level 1 heading, else the title in the front matter, else the first heading.
	headings := source.Headings(lines[front:])
	if i := slices.IndexFunc(headings, func(h source.Heading) bool { return h.Level == 1 }); i >= 0 {
		t.title = clip(headings[i].Text)
	} else if t.title = clip(t.front.Text("title")); t.title == "" && len(headings) > 0 {
		t.title = clip(headings[0].Text)
	}
	t.readLines(lines)
	return t
}

// readFront parses the front matter. lines includes the lines --- around it.
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

// clip truncates untrusted text and makes it safe to display.
func clip(s string) string {
	s = strings.Map(resources.Visible, s[:min(len(s), longestTitle)])
	return strings.ToValidUTF8(s, "")
}

// readLines reads states, checkboxes and links outside of code.
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
		if box := source.Box(line); box >= 0 && line[box] == ' ' {
			t.open++
		} else if box >= 0 {
			t.done++
		}
		t.readLinks(line, i+1)
	}
}

// readLinks reads [text](path) and [name]: path. It ignores inline code.
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

// maxLinks limits the links of a document.
const maxLinks = 2000

// addLink adds a relative link, without its title, up to maxLinks links. It ignores anchors and
// URLs.
func (t *text) addLink(to string, line int) {
	to = strings.TrimSpace(to)
	if rest, angled := strings.CutPrefix(to, "<"); angled {
		to, _, _ = strings.Cut(rest, ">")
	} else {
		to, _, _ = strings.Cut(to, " ") // omits the title
	}
	if to != "" && to[0] != '#' && !strings.Contains(to, "://") && !strings.HasPrefix(to, "mailto:") && len(t.links) < maxLinks {
		t.links = append(t.links, Link{to, line})
	}
}
