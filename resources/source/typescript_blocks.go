package source

import "bytes"

// scanComponent scans the scripts of a Vue, Svelte or Astro component, and the frontmatter
// script of an Astro file. The component itself is the default export of the file.
func scanComponent(in input) Facts {
	lines := countLines(in.data)
	kept, jsx := scriptsOf(in.language, in.data)
	in.data = kept
	facts := scanScript(in, jsx)
	facts.Lines = lines
	for _, e := range facts.Exports {
		if e.Name == "default" {
			return facts
		}
	}
	if facts.Lines > 0 {
		facts.Exports = append(facts.Exports, Export{Name: "default", Line: 1})
	}
	return facts
}

// scriptsOf replaces everything but the scripts of a file with spaces, which preserves line
// numbers. jsx reports whether a script may contain JSX.
func scriptsOf(name string, data []byte) (kept []byte, jsx bool) {
	kept = make([]byte, len(data))
	for i, c := range data {
		if kept[i] = ' '; c == '\n' {
			kept[i] = '\n'
		}
	}
	at := 0
	if name == "Astro" {
		from, to := frontCode(data)
		copy(kept[from:to], data[from:to])
		at = to
	}
	for {
		from, to, attributes := nextScript(data, at)
		if from < 0 {
			return kept, jsx
		}
		if runs(attributes) {
			copy(kept[from:to], data[from:to])
			jsx = jsx || bytes.HasSuffix(attribute(attributes, "lang"), []byte("sx"))
		}
		at = to
	}
}

// frontCode returns the range of the code between lines of --- at the start of a file. It
// returns 0, 0 if there is no such code.
func frontCode(data []byte) (from, to int) {
	blank := len(data) - len(bytes.TrimLeft(data, " \t\r\n\ufeff"))
	if !bytes.HasPrefix(data[blank:], []byte("---")) {
		return 0, 0
	}
	end := bytes.IndexByte(data[blank:], '\n')
	if end < 0 {
		return 0, 0
	}
	from = blank + end
	if end = bytes.Index(data[from:], []byte("\n---")); end < 0 {
		return 0, 0
	}
	return from, from + end
}

// nextScript returns the range of the text of the next script element after an offset, and
// the element's attributes. It returns -1 if there are no further scripts. It skips
// comments.
func nextScript(data []byte, at int) (from, to int, attributes []byte) {
	for {
		next := bytes.IndexByte(data[at:], '<')
		if next < 0 {
			return -1, -1, nil
		}
		at += next
		switch rest := data[at:]; {
		case bytes.HasPrefix(rest, []byte("<!--")):
			end := bytes.Index(rest, []byte("-->"))
			if end < 0 {
				return -1, -1, nil
			}
			at += end
		case begins(rest, "<script") && len(rest) > 7 && bytes.IndexByte([]byte(" \t\r\n>"), rest[7]) >= 0:
			from = at + tagLength(rest)
			return from, from + scriptLength(data[from:]), data[min(at+7, from):from]
		default:
			at++
		}
	}
}

// begins reports whether data begins with text, ignoring case.
func begins(data []byte, text string) bool {
	return len(data) >= len(text) && bytes.EqualFold(data[:len(text)], []byte(text))
}

// tagLength returns the length of the tag at the start of data, including its >.
func tagLength(data []byte) int {
	var quoted byte
	for i, c := range data {
		switch {
		case quoted != 0:
			if c == quoted {
				quoted = 0
			}
		case c == '"' || c == '\'':
			quoted = c
		case c == '>':
			return i + 1
		}
	}
	return len(data)
}

// scriptLength returns the offset of </script, or the length of data.
func scriptLength(data []byte) int {
	for at := 0; ; at += 2 {
		next := bytes.Index(data[at:], []byte("</"))
		if next < 0 {
			return len(data)
		}
		if at += next; begins(data[at:], "</script") {
			return at
		}
	}
}

// runs reports whether a script element contains code, as opposed to data.
func runs(attributes []byte) bool {
	switch kind := string(bytes.ToLower(attribute(attributes, "type"))); kind {
	case "", "module", "ts", "text/javascript", "application/javascript", "text/typescript", "text/babel":
		return true
	}
	return false
}

// attribute returns the value of an attribute, or nil if it is absent.
func attribute(attributes []byte, name string) []byte {
	for {
		at := bytes.Index(attributes, []byte(name))
		if at < 0 {
			return nil
		}
		alone := at > 0 && bytes.IndexByte([]byte(" \t\r\n"), attributes[at-1]) >= 0
		attributes = attributes[at+len(name):]
		value, found := bytes.CutPrefix(bytes.TrimLeft(attributes, " \t\r\n"), []byte("="))
		if !alone || !found {
			continue
		}
		value = bytes.TrimLeft(value, " \t\r\n")
		if len(value) > 0 && (value[0] == '"' || value[0] == '\'') {
			value, _, _ = bytes.Cut(value[1:], value[:1])
			return value
		}
		if end := bytes.IndexAny(value, " \t\r\n/>"); end >= 0 {
			value = value[:end]
		}
		return value
	}
}
