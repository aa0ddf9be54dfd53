package hosts

import (
	"slices"
	"strings"
	"unicode"
)

// The markers of a patch, in the format of the tool apply_patch. Codex and
// OpenCode read the same format, and each is lenient in a different way.
// PatchPaths accepts every marker that either of them accepts.
const (
	patchBegin = "*** Begin Patch"
	patchEnd   = "*** End Patch"
	patchEOF   = "*** End of File"
)

// patchFiles lists the markers that are followed by a file name on the same
// line.
var patchFiles = [...]struct {
	mark string
	next patchPart
}{
	{"*** Add File:", patchAdds},
	{"*** Update File:", patchUpdates},
	{"*** Delete File:", patchHeader},
	{"*** Move to:", patchUpdates},
}

// patchPart is the part of a patch that the reader is in.
type patchPart int

const (
	patchOutside patchPart = iota // before the beginning of the patch, or after its end
	patchHeader                   // where a marker is expected
	patchAdds                     // the text of a new file
	patchUpdates                  // the changes of a file
)

// PatchPaths returns every file that a patch adds, updates, deletes or moves.
// Each file is listed once, with the spelling of the patch. ok is false if a
// line of the text is not understood, or if the text names no file. The patch
// may then write files that paths does not list.
func PatchPaths(text string) (paths []string, ok bool) {
	part, ended := patchOutside, false
	for _, line := range patchLines(text) {
		bare := trimPatch(line)
		switch {
		case part == patchOutside:
			if !strings.EqualFold(bare, patchBegin) || ended {
				return paths, false
			}
			part = patchHeader
			continue
		case part == patchUpdates && strings.HasPrefix(line, " "):
			continue // a line of the file, even if it looks like a marker
		case strings.EqualFold(bare, patchEnd):
			part, ended = patchOutside, true
			continue
		}
		if file, next, named := patchFile(bare); named {
			if !isPlainPath(file) {
				return paths, false
			}
			if !slices.Contains(paths, file) {
				paths = append(paths, file)
			}
			part = next
			continue
		}
		if !part.holds(line, bare) {
			return paths, false
		}
	}
	return paths, ended && len(paths) > 0
}

// PatchResult applies a patch to one file and returns the new content, given
// the content before. The result is nil if the patch deletes the file or moves
// it away. known is false if the patch does not fit the content; hosts then
// refuse the patch.
func PatchResult(text, file string, before []byte) (after []byte, known bool) {
	data, found := string(before), false
	var old, now []string
	apply := func() bool {
		was, becomes := strings.Join(old, "\n"), strings.Join(now, "\n")
		fits := was == "" || strings.Contains(data, was)
		if was == "" {
			data += becomes
		} else {
			data = strings.Replace(data, was, becomes, 1)
		}
		old, now = nil, nil
		return fits
	}
	for _, line := range patchLines(text) {
		bare := trimPatch(line)
		name, part, named := patchFile(bare)
		switch {
		case named && found && part == patchUpdates && strings.HasPrefix(bare, patchFiles[3].mark):
			return nil, true // the new content is under another name
		case named && found:
			fits := apply()
			return []byte(data), fits
		case named:
			if found = name == file; found && part == patchHeader {
				return nil, true
			} else if found && part == patchAdds {
				data = ""
			}
		case !found:
		case strings.HasPrefix(line, "@@"), bare == patchEOF:
			if !apply() {
				return nil, false
			}
		case strings.HasPrefix(line, "+"):
			now = append(now, line[1:])
		case strings.HasPrefix(line, "-"):
			old = append(old, line[1:])
		case strings.EqualFold(bare, patchEnd):
			fits := apply()
			return []byte(data), fits
		default:
			old, now = append(old, strings.TrimPrefix(line, " ")), append(now, strings.TrimPrefix(line, " "))
		}
	}
	return nil, false
}

// holds reports whether a line without a marker is valid in this part.
func (p patchPart) holds(line, bare string) bool {
	switch {
	case bare == "":
		return true
	case p == patchAdds:
		return line[0] == '+'
	case p == patchUpdates:
		return strings.IndexByte("+-", line[0]) >= 0 || strings.HasPrefix(line, "@@") || bare == patchEOF
	}
	return false
}

// patchLines returns the lines of a patch, without a surrounding here-document.
func patchLines(text string) []string {
	lines := strings.Split(trimPatch(text), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSuffix(line, "\r")
	}
	head := strings.TrimSpace(strings.TrimPrefix(trimPatch(lines[0]), "cat "))
	end, heredoc := strings.CutPrefix(head, "<<")
	if end = strings.Trim(end, `'"`); heredoc && end != "" && len(lines) > 2 && trimPatch(lines[len(lines)-1]) == end {
		return lines[1 : len(lines)-1]
	}
	return lines
}

// patchFile parses a line of a patch that begins the changes of a file, and returns the file and
// the part that follows. named is false for any other line.
func patchFile(bare string) (file string, next patchPart, named bool) {
	for _, row := range patchFiles {
		if len(bare) >= len(row.mark) && strings.EqualFold(bare[:len(row.mark)], row.mark) {
			return trimPatch(bare[len(row.mark):]), row.next, true
		}
	}
	return "", patchHeader, false
}

// isPlainPath reports whether the path can be used as written. Hosts treat quotes
// in different ways, and control characters are not expected in file names.
func isPlainPath(file string) bool {
	return file != "" && strings.IndexByte("\"'`", file[0]) < 0 && !strings.ContainsFunc(file, unicode.IsControl)
}

// trimPatch trims the characters that Rust and JavaScript treat as white space.
func trimPatch(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' })
}
