package resources

import "unicode/utf8"

// AppendText adds a text as JSON, byte for byte as encoding/json writes it: with html, < >
// and & are escaped, as json.Marshal does. It is for programs that write a line or two and end:
// encoding/json first builds a table for each type, which takes far longer than that.
func AppendText(b []byte, text string, html bool) []byte {
	b = append(b, '"')
	done := 0
	for i := 0; i < len(text); {
		escape, size := escapeAt(text[i:], html)
		if escape != "" {
			b = append(append(b, text[done:i]...), escape...)
			done = i + size
		}
		i += size
	}
	return append(append(b, text[done:]...), '"')
}

// escapeAt is what stands in JSON for the character that a text begins with, "" for itself,
// and how long it is.
func escapeAt(text string, html bool) (escape string, size int) {
	if c := text[0]; c < utf8.RuneSelf {
		return escapeASCII(c, html), 1
	}
	r, size := utf8.DecodeRuneInString(text)
	switch {
	case r == utf8.RuneError && size == 1:
		return `\ufffd`, 1
	case r == '\u2028': // these two end a line in JavaScript
		return `\u2028`, size
	case r == '\u2029':
		return `\u2029`, size
	}
	return "", size
}

func escapeASCII(c byte, html bool) string {
	switch c {
	case '"':
		return `\"`
	case '\\':
		return `\\`
	case '\b':
		return `\b`
	case '\f':
		return `\f`
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	case '<', '>', '&':
		if !html {
			return ""
		}
	default:
		if c >= ' ' {
			return ""
		}
	}
	const digits = "0123456789abcdef"
	return `\u00` + string([]byte{digits[c>>4], digits[c&0xf]})
}

// AppendMember adds a member that is a text, with a comma behind it; an empty one is left
// out. See AppendText; CloseObject takes the last comma away.
func AppendMember(b []byte, name, text string, html bool) []byte {
	if text == "" {
		return b
	}
	b = append(append(append(b, '"'), name...), `":`...)
	return append(AppendText(b, text, html), ',')
}

// CloseObject ends an object that was begun with a brace: one more in place of the last
// comma.
func CloseObject(b []byte) []byte {
	if b[len(b)-1] == ',' {
		b = b[:len(b)-1]
	}
	return append(b, '}')
}
