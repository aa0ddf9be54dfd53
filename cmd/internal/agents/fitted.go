package agents

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Marks around lines about the repository in an agent's profile. They are not part of the shipped
// text: a profile counts as unchanged with them, and keeps them when it is renewed.
const (
	fitStart = "<!-- >>> idumb onboard "
	fitEnd   = "<!-- <<< idumb onboard <<< -->"
)

// Profiles returns the installed agents' profiles of a repository, relative to root: Markdown files
// that a host has for iDumb's roles.
func Profiles(root string) (found []string) {
	for _, h := range Hosts() {
		for _, f := range h.Files(root, Commands{}) {
			if _, isWhole := f.content.(ownedFile); !isWhole || path.Base(path.Dir(f.Path)) != "agents" || path.Ext(f.Path) != ".md" {
				continue
			}
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(f.Path))); err == nil {
				found = append(found, f.Path)
			}
		}
	}
	return found
}

// FittedText returns lines between the marks, as WriteFitted writes them. It is empty without
// lines.
func FittedText(lines string) string {
	if lines == "" {
		return ""
	}
	lines = strings.TrimSuffix(lines, "\n") + "\n"
	return fmt.Sprintf("%s%s: \"idumb onboard --undo\" takes these lines out >>> -->\n%s%s\n", fitStart, sum(lines), lines, fitEnd)
}

// ReadFitted returns the text between the marks of a file, including the marks. It is empty without
// marks.
func ReadFitted(root, file string) (string, error) {
	text, _, err := readProfile(root, file)
	if err != nil {
		return "", err
	}
	_, fitted := cutFitted(text)
	return string(fitted), nil
}

// FilesToFit returns the files without the current FittedText of lines: profiles, and the shared rules
// file if a host reads it. Files in which a user changed the text between the marks are skipped.
func FilesToFit(root, lines string) (files []string, err error) {
	all := Profiles(root)
	if rulesInUse(root) && lines != "" {
		all = append(all, sharedRules)
	}
	for _, file := range all {
		there, err := ReadFitted(root, file)
		if err != nil {
			return nil, err
		}
		if there != FittedText(lines) && !EditedFit(there) {
			files = append(files, file)
		}
	}
	return files, nil
}

// ErrEditedFit means that a user changed the lines between the marks.
var ErrEditedFit = errors.New("the text between the markers was edited")

// EditedFit reports whether a user changed a text between marks, including the marks. It is false
// for an empty text.
func EditedFit(text string) bool {
	if text == "" {
		return false
	}
	_, lines, _ := strings.Cut(text, "\n")
	lines, _, _ = strings.Cut(lines, fitEnd)
	said, _, _ := strings.Cut(strings.TrimPrefix(text, fitStart), ":")
	return said != sum(lines)
}

// WriteFitted replaces the fitted text of a file. text is a result of FittedText; an empty text removes it.
// It returns ErrEditedFit if a user changed the fitted text. Text outside the marks is unchanged.
// Command files, skills and the shared rules file are created if missing, and removed with their
// empty directories if they contain no other text.
func WriteFitted(root, file, text string) error {
	was, real, err := readProfile(root, file)
	if err != nil {
		return err
	}
	rest, fitted := cutFitted(was)
	if EditedFit(string(fitted)) {
		return ErrEditedFit
	}
	switch head, made := initialText(file); {
	case made && was == nil && text != "":
		rest = []byte(head)
	case made && text == "" && fitted != nil && string(rest) == head:
		if err := removeFile(real, was); err != nil {
			return err
		}
		for dir := path.Dir(file); strings.Contains(dir, "/"); dir = path.Dir(dir) {
			folder := filepath.Join(root, filepath.FromSlash(dir))
			if info, err := os.Lstat(folder); err == nil && info.IsDir() { // a link to a directory stays
				_ = os.Remove(folder) // fails unless it is empty
			}
		}
		return nil
	}
	next := withFitted(rest, []byte(text))
	if bytes.Equal(next, was) {
		return nil
	}
	return replaceFile(real, was, next)
}

// readProfile reads a file and returns its path with links resolved. text is nil if the file does
// not exist.
func readProfile(root, file string) (text []byte, real string, err error) {
	if real, err = realPath(root, file); err != nil {
		return nil, "", err
	}
	switch text, err = readFile(real); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, real, nil
	case err != nil:
		return nil, "", fmt.Errorf("%s: %w", file, err)
	}
	return text, real, nil
}

// cutFitted splits a text into the part outside the marks and the part between them, nil without
// marks.
func cutFitted(text []byte) (rest, fitted []byte) {
	start := lineWith(text, fitStart)
	if start < 0 {
		return text, nil
	}
	length := lineWith(text[start:], fitEnd)
	if length < 0 {
		return text, nil
	}
	end := start + length
	if n := bytes.IndexByte(text[end:], '\n'); n >= 0 {
		end += n + 1
	} else {
		end = len(text)
	}
	return append(append([]byte{}, text[:start]...), text[end:]...), []byte(strings.ReplaceAll(string(text[start:end]), "\r\n", "\n"))
}

// withFitted appends a fitted text to a text.
func withFitted(text, fitted []byte) []byte {
	if len(fitted) == 0 || text == nil {
		return text
	}
	if len(text) > 0 && !endsLine(text) {
		fitted = append([]byte("\n"), fitted...) // the newline remains when the text is removed, and is harmless
	}
	return endLinesAs(text, append(append([]byte{}, text...), fitted...))
}
