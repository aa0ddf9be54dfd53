package agents

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// block is a run of iDumb's lines between two marks, at the end of a user's text file with #
// comments.
type block struct {
	body        string         // full lines
	clash       *regexp.Regexp // matches a user's setting that conflicts with the lines; nil means no conflict is possible
	description string         // description of the conflict for users
}

const (
	blockStart = "# >>> idumb "
	blockEnd   = "# <<< idumb"
)

// text returns the lines of the block, between its first line, with the checksum, and its last
// line.
func (b block) text() string {
	return fmt.Sprintf("%s%s: \"idumb hook uninstall\" takes these lines out >>>\n%s%s <<<\n", blockStart, sum(b.body), b.body, blockEnd)
}

// find returns the range of the lines in a text, including the marks. found is
// false if a mark is missing.
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

// lineWith returns the offset of the first line that begins with a mark, or -1.
func lineWith(text []byte, mark string) int {
	if bytes.HasPrefix(text, []byte(mark)) {
		return 0
	}
	if i := bytes.Index(text, []byte("\n"+mark)); i >= 0 {
		return i + 1
	}
	return -1
}

// insert implements content. It appends the lines, unless the user's text has the same setting.
func (b block) insert(text []byte, _ bool) (after []byte, kept []string, err error) {
	if b.clashes(text) {
		return text, []string{b.description}, nil
	}
	after = append([]byte{}, text...)
	if len(text) > 0 { // remove uses the empty line to restore a text without a final newline
		after = append(after, '\n')
	}
	return endLinesAs(text, append(after, b.text()...)), nil, nil
}

// clashes reports whether the user's part of text has the setting that the block makes.
func (b block) clashes(text []byte) bool {
	if start, end, found := b.find(text); found {
		text = append(append([]byte{}, text[:start]...), text[end:]...)
	}
	return b.clash != nil && b.clash.Match(text)
}

// remove removes the lines and the empty line before them. Edits of a user within them are not kept,
// because they are useless without idumb.
func (b block) remove(text []byte, _ *recorded, _ bool) ([]byte, []string, error) {
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

// endsLine reports whether text ends with a newline.
func endsLine(text []byte) bool { return len(text) > 0 && text[len(text)-1] == '\n' }

// missing implements content: it names the lines if they are absent or of another version.
func (b block) missing(text []byte, _ *recorded) (missing, edited []string, err error) {
	start, end, found := b.find(text)
	switch {
	case !found && b.clashes(text):
		return nil, []string{b.description}, nil
	case !found:
		return []string{"idumb's lines"}, nil, nil
	}
	here := strings.ReplaceAll(string(text[start:end]), "\r\n", "\n")
	if strings.TrimSuffix(here, "\n") != strings.TrimSuffix(b.text(), "\n") {
		return []string{"this version's lines"}, nil, nil
	}
	return nil, nil, nil
}

// contains implements content: it reports whether text has the marks.
func (b block) contains(text []byte) bool { _, _, found := b.find(text); return found }

// equivalent implements content. Differences in white space have no meaning.
func (block) equivalent(a, b []byte) bool {
	return strings.Join(strings.Fields(string(a)), " ") == strings.Join(strings.Fields(string(b)), " ")
}

// isEmpty implements content: it reports whether text is only white space.
func (block) isEmpty(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }
