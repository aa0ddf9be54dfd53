package agents

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// ownedFile is a file that belongs to iDumb entirely. One line contains a checksum of the other lines,
// so that any version of idumb can detect a user's changes on any machine.
type ownedFile struct {
	body    string // content without the checksum line
	comment string // begin of a comment: "//", "#"
	line    int    // index of the checksum line
}

// sumMark begins the text of the checksum line.
const sumMark = "idumb-file v1 "

const sumNote = " (written by idumb; once you edit this file, idumb leaves it to you)"

// text returns the content of the file.
func (w ownedFile) text() []byte {
	lines := strings.SplitAfter(w.body, "\n")
	return []byte(strings.Join(lines[:w.line], "") + fmt.Sprintf("%s %s%s%s\n", w.comment, sumMark, sum(w.body), sumNote) + strings.Join(lines[w.line:], ""))
}

// sum returns a checksum of body, as 16 hexadecimal digits.
func sum(body string) string {
	hash := sha256.Sum256([]byte(body))
	return hex.EncodeToString(hash[:8])
}

// isUnmodified reports whether a text is unchanged since some version of idumb wrote it. Line ends do
// not count, because git changes them on some machines.
func (w ownedFile) isUnmodified(text []byte) bool {
	body, said, found := w.splitSum(text)
	return found && sum(body) == said
}

// splitSum removes the checksum line and the fitted text from a text. said is
// the checksum in that line; found is false if the text has no such line.
func (w ownedFile) splitSum(text []byte) (body, said string, found bool) {
	var rest strings.Builder
	text, _ = cutFitted(text)
	for line := range strings.Lines(strings.ReplaceAll(string(text), "\r\n", "\n")) {
		after, isMark := strings.CutPrefix(line, w.comment+" "+sumMark)
		if found || !isMark {
			rest.WriteString(line)
			continue
		}
		said, _, _ = strings.Cut(strings.TrimSpace(after), " ")
		found = true
	}
	return rest.String(), said, found
}

// insert implements content. It keeps an existing file unless renew is true.
func (w ownedFile) insert(text []byte, renew bool) ([]byte, []string, error) {
	if text != nil && !renew {
		return text, []string{"it"}, nil
	}
	return w.text(), nil, nil
}

// remove implements content. It removes the whole file, unless a user edited it and renew is
// false.
func (w ownedFile) remove(text []byte, _ *recorded, renew bool) ([]byte, []string, error) {
	switch {
	case text == nil || w.isUnmodified(text):
		return nil, nil, nil
	case renew:
		return nil, nil, nil
	}
	return text, []string{"it"}, nil
}

// missing implements content: it names the file if it does not exist, is of another version, or
// was edited by a user.
func (w ownedFile) missing(text []byte, _ *recorded) (missing, edited []string, err error) {
	switch {
	case text == nil:
		return []string{"the file"}, nil, nil
	case w.equivalent(text, w.text()):
		return nil, nil, nil
	case w.isUnmodified(text):
		return []string{"this version's text" + inOtherForm}, nil, nil
	}
	return nil, []string{"it"}, nil
}

// contains implements content. It returns true for any file with a checksum line.
func (w ownedFile) contains(text []byte) bool { _, _, found := w.splitSum(text); return found }

// equivalent implements content. Line ends and fitted text have no meaning.
func (w ownedFile) equivalent(a, b []byte) bool {
	a, _ = cutFitted(a)
	b, _ = cutFitted(b)
	return bytes.Equal(bytes.ReplaceAll(a, []byte("\r\n"), []byte("\n")), bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")))
}

// isEmpty implements content: it reports whether text has no bytes.
func (ownedFile) isEmpty(text []byte) bool { return len(text) == 0 }
