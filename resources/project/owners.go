package project

import (
	"bufio"
	"bytes"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// ownersFiles are the places of a CODEOWNERS; as on GitHub the first that is there holds.
var ownersFiles = [...]string{".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"}

// mostOwnerRules is how many lines of a CODEOWNERS are read, most of all.
const mostOwnerRules = 2_000

// ownerRule says who owns what a pattern matches; nobody where owners is empty.
type ownerRule struct {
	pattern string
	owners  []string
}

// Owners reads the CODEOWNERS of a repository, and returns who owns a path by it: the last line that
// matches holds. Sections of GitLab give their owners to lines that name none. What it returns comes
// from the file as it stands there; none where there is no such file.
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

func ownerRules(data []byte) (rules []ownerRule) {
	var section []string
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan() && len(rules) < mostOwnerRules; {
		line, _, _ := strings.Cut(lines.Text(), " #")
		line = strings.TrimSpace(line)
		if heading := strings.TrimPrefix(line, "^"); strings.HasPrefix(heading, "[") {
			_, after, _ := strings.Cut(heading, "]")
			section = namesOfOwners(strings.Fields(after))
			continue
		}
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.ContainsAny(fields[0], `#![]{}?\`) {
			continue // a comment, or a pattern that has no such signs on GitHub
		}
		owners := namesOfOwners(fields[1:])
		if owners == nil {
			owners = section
		}
		rules = append(rules, ownerRule{ownerPattern(fields[0]), owners})
	}
	return rules
}

// namesOfOwners are those of some words that name somebody: @person, @org/team, an address of mail.
func namesOfOwners(words []string) (owners []string) {
	for _, word := range words {
		if strings.Contains(word, "@") {
			owners = append(owners, word)
		}
	}
	return owners
}

// ownerPattern is a pattern of CODEOWNERS as one of ours: without a slash before its end it matches
// in any folder, and a folder is all that is below it, except that a star at the end of a path is
// for the files of that folder alone.
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
