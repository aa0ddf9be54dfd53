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

// Lines about the repository stand between two marks in an agent's profile. They are no part of what
// ships: a profile with them counts as it would without, and keeps them when it is renewed.
const (
	fitStart = "<!-- >>> idumb onboard "
	fitEnd   = "<!-- <<< idumb onboard <<< -->"
)

// Profiles are the profiles of agents that are installed in the repository at root, from there: files
// in Markdown that a host has for our roles.
func Profiles(root string) (found []string) {
	for _, h := range Hosts() {
		for _, f := range h.Files(root, Commands{}) {
			if _, isWhole := f.content.(whole); !isWhole || path.Base(path.Dir(f.Path)) != "agents" || path.Ext(f.Path) != ".md" {
				continue
			}
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(f.Path))); err == nil {
				found = append(found, f.Path)
			}
		}
	}
	return found
}

// FittedText is what Fit writes of lines: them between marks; "" for none.
func FittedText(lines string) string {
	if lines == "" {
		return ""
	}
	lines = strings.TrimSuffix(lines, "\n") + "\n"
	return fmt.Sprintf("%s%s: \"idumb onboard --undo\" takes these lines out >>> -->\n%s%s\n", fitStart, sum(lines), lines, fitEnd)
}

// Fitted is what stands between the marks of a file, marks included; "" for nothing.
func Fitted(root, file string) (string, error) {
	text, _, err := readProfile(root, file)
	if err != nil {
		return "", err
	}
	_, fitted := cutFitted(text)
	return string(fitted), nil
}

// ToFit are the profiles, and the rules that hosts without such read, in which lines do not stand as FittedText
// has them. Those in which a person changed what is between the marks are left to them.
func ToFit(root, lines string) (files []string, err error) {
	all := Profiles(root)
	if rulesRead(root) && lines != "" {
		all = append(all, sharedRules)
	}
	for _, file := range all {
		there, err := Fitted(root, file)
		if err != nil {
			return nil, err
		}
		if there != FittedText(lines) && !EditedFit(there) {
			files = append(files, file)
		}
	}
	return files, nil
}

// ErrEditedFit says that a person changed the lines between the marks.
var ErrEditedFit = errors.New("what stands between the markers was changed since")

// EditedFit reports whether the lines between marks, marks included, are not as some version of idumb wrote
// them; "" are none.
func EditedFit(text string) bool {
	if text == "" {
		return false
	}
	_, lines, _ := strings.Cut(text, "\n")
	lines, _, _ = strings.Cut(lines, fitEnd)
	said, _, _ := strings.Cut(strings.TrimPrefix(text, fitStart), ":")
	return said != sum(lines)
}

// Fit puts a text that FittedText made at the end of a file, in the place of what was there of it;
// "" takes that out. ErrEditedFit if a person changed that. What stands outside the marks stays as it is, byte for byte. A command and the shared
// rules are made where they are not there, and removed where nothing but what they were made of is left.
func Fit(root, file, text string) error {
	was, real, err := readProfile(root, file)
	if err != nil {
		return err
	}
	rest, fitted := cutFitted(was)
	if EditedFit(string(fitted)) {
		return ErrEditedFit
	}
	switch head, made := madeWith(file); {
	case made && was == nil && text != "":
		rest = []byte(head)
	case made && text == "" && fitted != nil && string(rest) == head:
		return removeFile(real, was)
	}
	next := withFitted(rest, []byte(text))
	if bytes.Equal(next, was) {
		return nil
	}
	return replaceFile(real, was, next)
}

// readProfile reads a file, nil if it is not there, and says where it is behind links.
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

// cutFitted parts a text from the lines between the marks; nil where there are none.
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

// withFitted is a text with such lines at its end.
func withFitted(text, fitted []byte) []byte {
	if len(fitted) == 0 || text == nil {
		return text
	}
	if len(text) > 0 && !endsLine(text) {
		fitted = append([]byte("\n"), fitted...) // it stays when they are taken out: a line that ends harms nothing
	}
	return endLinesAs(text, append(append([]byte{}, text...), fitted...))
}
