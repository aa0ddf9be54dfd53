package packer

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/idumb-dev/idumb/resources"
)

// line returns text as one line of a pack: cleaned, with each run of white space folded to one
// space, and escaped.
func line(text string) string {
	return escapeText.Replace(strings.Join(strings.Fields(clean(text)), " "))
}

// attribute returns text as the value of an attribute.
func attribute(text string) string {
	return escapeAttribute.Replace(strings.Join(strings.Fields(clean(text)), " "))
}

// block returns text that may have several lines. Lines after the first one are
// indented, so that text of a resource never starts a line of the pack, where
// it could pass for an entry or for a turn of the conversation.
func block(text string) string {
	var lines []string
	for l := range strings.SplitSeq(clean(text), "\n") {
		if l = strings.TrimRightFunc(l, unicode.IsSpace); strings.TrimSpace(l) != "" {
			lines = append(lines, escapeText.Replace(l))
		}
	}
	if len(lines) > 0 {
		lines[0] = strings.TrimSpace(lines[0])
	}
	return strings.Join(lines, "\n  ")
}

// escapeText replaces the characters that XML reserves between tags. It keeps
// quotation marks, because they need no escape there and an escape costs a
// token. escapeAttribute replaces the characters that XML reserves in
// attributes.
var (
	escapeText      = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	escapeAttribute = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;")
)

// unescapeText is the inverse of escapeText and escapeAttribute.
var unescapeText = strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'")

// clean removes characters that a reader does not see or that a terminal interprets: control
// characters, escape sequences, direction marks, zero-width and other invisible characters. Line
// ends of any kind become "\n", and invalid UTF-8 becomes the replacement character.
func clean(text string) string {
	if isPlain(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == '\x1b' || r == '\u009b' {
			i += len(sequence().FindString(text[i:]))
			continue
		}
		if r == '\r' && strings.HasPrefix(text[i+1:], "\n") {
			size++
		}
		i += size
		if r = resources.Visible(r); r >= 0 {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isPlain reports whether text consists of printable ASCII and newlines, which is the common case.
func isPlain(text string) bool {
	for i := 0; i < len(text); i++ {
		if c := text[i]; (c < ' ' && c != '\n') || c >= 0x7f {
			return false
		}
	}
	return true
}

// sequence matches an escape sequence of a terminal: CSI, also as one character, up to its final
// byte; strings (OSC, DCS, ...) up to their terminator on the same line; any other ESC with its
// final byte. An unterminated string is matched only at its introducer, so that it does not hide
// the text after it.
var sequence = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(?:\x1b\[|\x{9b})[ -?]*[@-~]?|\x1b[\]PX^_](?:[^\n]*?(?:\a|\x1b\\))?|\x1b[ -~]?)`)
})
