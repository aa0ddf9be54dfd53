package agents

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// block is a run of lines of ours, between two marks, at the end of a text file of
// a person's whose comments begin with #.
type block struct {
	body  string         // whole lines
	clash *regexp.Regexp // what stands elsewhere in the file in place of our lines; nil: nothing can
	says  string         // what a clash is, for people
}

const (
	blockStart = "# >>> idumb "
	blockEnd   = "# <<< idumb"
)

func (b block) text() string {
	return fmt.Sprintf("%s%s: \"idumb hook uninstall\" takes these lines out >>>\n%s%s <<<\n", blockStart, sum(b.body), b.body, blockEnd)
}

// find returns where our lines stand in a text: from their first mark to behind
// the last one.
func (b block) find(text []byte) (start, end int, found bool) {
	start = lineWith(text, blockStart)
	if start < 0 {
		return 0, 0, false
	}
	offset := lineWith(text[start:], blockEnd)
	if offset < 0 {
		return 0, 0, false
	}
	end = start + offset
	if n := bytes.IndexByte(text[end:], '\n'); n >= 0 {
		return start, end + n + 1, true
	}
	return start, len(text), true
}

// lineWith returns where the first line begins that begins with a mark.
func lineWith(text []byte, mark string) int {
	if bytes.HasPrefix(text, []byte(mark)) {
		return 0
	}
	if i := bytes.Index(text, []byte("\n"+mark)); i >= 0 {
		return i + 1
	}
	return -1
}

func (b block) put(text []byte, _ bool) (after []byte, kept []string, err error) {
	if b.clashes(text) {
		return text, []string{b.says}, nil
	}
	after = append([]byte{}, text...)
	if len(text) > 0 { // an empty line before ours tells a text whose last line ends from one whose does not
		after = append(after, '\n')
	}
	return endLinesAs(text, append(after, b.text()...)), nil, nil
}

func (b block) clashes(text []byte) bool {
	if start, end, found := b.find(text); found {
		text = append(append([]byte{}, text[:start]...), text[end:]...)
	}
	return b.clash != nil && b.clash.Match(text)
}

// take takes out our lines, and the empty one before them. What they say is nothing
// that a person would keep when idumb goes.
func (b block) take(text []byte, _ *recorded, _ bool) ([]byte, []string, error) {
	start, end, found := b.find(text)
	if !found {
		return text, nil, nil
	}
	before, behind := text[:start], text[end:]
	lineEnd := "\n"
	if bytes.Contains(text[start:end], []byte("\r\n")) {
		lineEnd = "\r\n"
	}
	trimmed := bytes.TrimSuffix(before, []byte(lineEnd))
	if endsLine(trimmed) || len(behind) == 0 {
		before = trimmed
	}
	return append(append([]byte{}, before...), behind...), nil, nil
}

func endsLine(text []byte) bool { return len(text) > 0 && text[len(text)-1] == '\n' }

func (b block) missing(text []byte, _ *recorded) (missing, edited []string, err error) {
	start, end, found := b.find(text)
	switch {
	case !found && b.clashes(text):
		return nil, []string{b.says}, nil
	case !found:
		return []string{"idumb's lines"}, nil, nil
	}
	here := strings.ReplaceAll(string(text[start:end]), "\r\n", "\n")
	if strings.TrimSuffix(here, "\n") != strings.TrimSuffix(b.text(), "\n") {
		return []string{"this version's lines"}, nil, nil
	}
	return nil, nil, nil
}

func (b block) has(text []byte) bool { _, _, found := b.find(text); return found }

func (block) same(a, b []byte) bool {
	return strings.Join(strings.Fields(string(a)), " ") == strings.Join(strings.Fields(string(b)), " ")
}

func (block) bare(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }
