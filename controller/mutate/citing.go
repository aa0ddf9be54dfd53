package mutate

import (
	"context"

	"github.com/idumb-dev/idumb/controller/mutate/memory"
	"github.com/idumb-dev/idumb/resources"
)

// ConfirmCited confirms the mems that a text cites, in the name of by, and returns their
// names. One that is not there, or out of use, or whose evidence has changed since, is
// left as it is: nobody said that somebody looked.
func (r Repo) ConfirmCited(ctx context.Context, text, by string) []string {
	var confirmed []string
	for _, name := range memory.Cited(text) {
		result, err := r.One(ctx, resources.Key{Kind: resources.Mems, Name: name}, func(o resources.Object, v *View) (resources.Object, error) {
			return memory.Confirm(o.(*resources.Mem), memory.Confirmation{By: by, Check: true}, v)
		})
		if err == nil && result.What == Configured {
			confirmed = append(confirmed, name)
		}
	}
	return confirmed
}
