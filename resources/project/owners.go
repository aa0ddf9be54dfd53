package project

import (
	"bufio"
	"bytes"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// ownersFiles lists the locations of CODEOWNERS. As on GitHub, the first existing file is
// used.
var ownersFiles = [...]string{".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"}

// maxOwnerRules limits the lines of a CODEOWNERS that are used.
const maxOwnerRules = 2_000

// ownerRule contains the owners of files that match a pattern. An empty list means no
// owner.
type ownerRule struct {
	pattern string
	owners  []string
}

// Owners reads the CODEOWNERS of a repository and returns a function that returns the
// owners of a path. The last matching line decides. In GitLab sections, lines without
// owners have the owners of the section. The results are untrusted text from the file. They
// are empty if there is no such file.
func Owners(files Files) func(name string) []string {
	var rules []ownerRule
	for _, file := range ownersFiles {
		if data, err := files.Read(file); err == nil {
			rules = ownerRules(data)
			break
		}
	}
	return func(name string) []string {
		for _, r := range slices.Backward(rules) {
			if resources.MatchGlob(r.pattern, name) {
				return r.owners
			}
		}
		return nil
	}
}

// ownerRules parses a CODEOWNERS file into rules, in the order of the file and at most
// maxOwnerRules.
func ownerRules(data []byte) (rules []ownerRule) {
	var section []string
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan() && len(rules) < maxOwnerRules; {
		line, _, _ := strings.Cut(lines.Text(), " #")
		line = strings.TrimSpace(line)
		if heading := strings.TrimPrefix(line, "^"); strings.HasPrefix(heading, "[") {
			_, after, _ := strings.Cut(heading, "]")
			section = namesOfOwners(strings.Fields(after))
			continue
		}
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.ContainsAny(fields[0], `#![]{}?\`) {
			continue // a comment, or a pattern with characters that GitHub does not support
		}
		owners := namesOfOwners(fields[1:])
		if owners == nil {
			owners = section
		}
		rules = append(rules, ownerRule{ownerPattern(fields[0]), owners})
	}
	return rules
}

// namesOfOwners returns the words that are owners: @user, @org/team or an e-mail address.
func namesOfOwners(words []string) (owners []string) {
	for _, word := range words {
		if strings.Contains(word, "@") {
			owners = append(owners, word)
		}
	}
	return owners
}

// ownerPattern converts a pattern of CODEOWNERS to a glob. A pattern without an inner slash
// matches in any directory. A directory matches everything below it, but a final star in a
// path only matches files of that directory.
func ownerPattern(pattern string) string {
	body := strings.TrimSuffix(pattern, "/")
	anchored := strings.Contains(body, "/")
	if body = strings.TrimPrefix(body, "/"); !anchored {
		body = "**/" + body
	}
	if strings.HasSuffix(body, "/**") || anchored && strings.HasSuffix(body, "/*") {
		return body
	}
	return body + "/**"
}
