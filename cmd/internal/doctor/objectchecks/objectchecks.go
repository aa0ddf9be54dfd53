// Package objectchecks finds problems of objects. The controller answers its query Ask. Without a
// controller, package doctor computes the same Findings from the files.
package objectchecks

import (
	"fmt"
	"net/url"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
)

// Ask is the name of the query.
const Ask = "doctor"

// Questions returns the query for the controller's server.
func Questions() []queries.Question { return []queries.Question{{Name: Ask, Answer: find}} }

// Findings are the problems and notices about objects.
type Findings struct {
	Problems []resources.Problem
	Lost     []string // at most one notice about mems and anchors
	Doubted  []string // at most one notice about decisions
	Roles    []string // notices about agents and roles
	Shell    []string // notices about the repository's rules for the shell gate
	Newer    []string // at most one notice about fields
	Outdated int      // number of statuses that are missing or older than their files
}

// examination is one check of all objects.
type examination struct {
	*queries.Source
	findings Findings
}

// find answers the query: it runs all checks and returns the findings.
func find(s *queries.Source, _ url.Values) (any, error) {
	x := examination{Source: s}
	for _, p := range x.Problems() {
		x.unreadable(p)
	}
	for _, kind := range resources.Kinds() {
		for _, key := range x.List(kind.Plural) {
			if _, broken := x.Problem(key); !broken {
				x.checkConditions(key)
			}
		}
	}
	x.checkLostSources()
	x.checkDoubts()
	x.checkStatuses()
	x.checkRoles()
	x.checkShell()
	x.checkUnknownFields()
	return &x.findings, nil
}

// notice appends a formatted notice to a list.
func notice(to *[]string, format string, args ...any) {
	*to = append(*to, fmt.Sprintf(format, args...))
}
