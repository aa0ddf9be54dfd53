// Package findings looks for what is wrong with objects: what package doctor asks the
// controller, and computes from the files where none answers.
package findings

import (
	"fmt"
	"net/url"

	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/resources"
)

// Ask is the question for findings.
const Ask = "doctor"

// Questions returns it, for whoever answers.
func Questions() []questions.Question { return []questions.Question{{Name: Ask, Answer: find}} }

// Findings are what is wrong with objects, and what is worth knowing about them.
type Findings struct {
	Problems []resources.Problem
	Lost     []string // a notice, or none, about mems and anchors
	Doubted  []string // a notice, or none, about decisions
	Roles    []string // notices about agents and roles
	Shell    []string // notices about the repository's rules for the shell gate
	Newer    []string // a notice, or none, about fields
	Outdated int      // how many statuses are missing or older than their files
}

// examination is one look at all objects.
type examination struct {
	*questions.Source
	found Findings
}

func find(s *questions.Source, _ url.Values) (any, error) {
	x := examination{Source: s}
	x.objects()
	x.lost()
	x.doubted()
	x.statuses()
	x.roles()
	x.shell()
	x.newer()
	return &x.found, nil
}

func notice(to *[]string, format string, args ...any) {
	*to = append(*to, fmt.Sprintf(format, args...))
}
