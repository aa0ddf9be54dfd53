package code

import (
	"cmp"
	"context"
	"net/url"

	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources/project/treediff"
)

// TreeDiff holds the changes of technologies, documents, symbols, import cycles and findings
// between the working tree and a revision.
type TreeDiff struct {
	Scope inventory.Scope   `json:"scope"`
	Since string            `json:"since"` // commit of the revision
	Items []treediff.Change `json:"items"`
}

// TreeDiffOf returns the differences between the working tree and a revision
// (since, default HEAD).
func TreeDiffOf(s *queries.Source, v url.Values) (TreeDiff, error) {
	answer := TreeDiff{Items: []treediff.Change{}}
	ctx, known := context.Background(), s.Inventory()
	past, err := known.Revision(ctx, cmp.Or(v.Get("since"), "HEAD"))
	if err != nil {
		return answer, err
	}
	defer past.Close()
	before := pastTree(ctx, s, past)
	err = known.Ask(ctx, func(k inventory.Snapshot) {
		answer.Since, answer.Scope = past.Commit, k.Scope()
		answer.Items = append(answer.Items, treediff.Compare(before, currentTree(ctx, s, k))...)
	})
	return answer, err
}
