package hosts

import (
	"slices"
	"strings"
	"unicode"
)

// The marks of a patch, as the tool apply_patch takes it. Codex and OpenCode read
// the same format, each lenient in its own way; patchPaths takes for a mark
// whatever either of them would.
const (
	patchBegin = "*** Begin Patch"
	patchEnd   = "*** End Patch"
	patchEOF   = "*** End of File"
)

// patchFiles are the marks that name a file, which stands behind them on the line.
var patchFiles = [...]struct {
	mark string
	next patchPart
}{
	{"*** Add File:", patchAdds},
	{"*** Update File:", patchUpdates},
	{"*** Delete File:", patchHeader},
	{"*** Move to:", patchUpdates},
}

// patchPart is what stands at a place of a patch.
type patchPart int

const (
	patchOutside patchPart = iota // before the patch begins, or after it has ended
	patchHeader                   // where the next mark is expected
	patchAdds                     // the text of a new file
	patchUpdates                  // the changes of a file
)

// PatchPaths returns every file that a patch adds, updates, deletes or moves, each
// once, as it is spelt there. ok is false if anything in the text is not
// understood, or if it names no file: then it may write files besides paths.
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
			continue // a line of the file, whatever it looks like
		case strings.EqualFold(bare, patchEnd):
			part, ended = patchOutside, true
			continue
		}
		if file, next, named := patchFile(bare); named {
			if !plainPath(file) {
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

// patchAdded are the files that a patch adds.
func patchAdded(text string) (files []string) {
	for _, line := range patchLines(text) {
		if file, next, named := patchFile(trimPatch(line)); named && next == patchAdds && !strings.HasPrefix(line, " ") {
			files = append(files, file)
		}
	}
	return files
}

// PatchResult returns what a file that a patch names holds after it, given what it held: nil
// where the patch deletes it or moves it away. known is false where the patch does not fit what
// the file holds; hosts then refuse it.
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
			return nil, true // what it becomes stands under another name
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

// holds reports whether a line that is no mark may stand in this part.
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

// patchLines returns the lines of a patch, without a here-document around it.
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

// patchFile reads a mark that names a file.
func patchFile(bare string) (file string, next patchPart, named bool) {
	for _, row := range patchFiles {
		if len(bare) >= len(row.mark) && strings.EqualFold(bare[:len(row.mark)], row.mark) {
			return trimPatch(bare[len(row.mark):]), row.next, true
		}
	}
	return "", patchHeader, false
}

// plainPath reports whether a path can be taken as it is written: hosts differ in
// what they make of quotes, and nobody names files with control characters.
func plainPath(file string) bool {
	return file != "" && strings.IndexByte("\"'`", file[0]) < 0 && !strings.ContainsFunc(file, unicode.IsControl)
}

// trimPatch takes off what Rust and JavaScript call white space.
func trimPatch(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' })
}
