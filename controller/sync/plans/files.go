package plans

import (
	"context"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/resources"
)

// File is an object as the team has it.
type File struct {
	Key      resources.Key
	Archived bool // it was set aside
	Text     []byte
}

// Files asks the team for all it has, whoever follows it. What is no object is left out. at names the moment at
// which they stood so; "" where the engine names none.
func Files(ctx context.Context, e engine.Engine) (files []File, at string, err error) {
	var items []engine.Item
	if strict, is := e.(engine.Strict); is {
		items, at, err = strict.ListAt(ctx, Prefix)
	} else {
		items, err = e.List(ctx, Prefix)
	}
	for _, item := range items {
		place, key, wrong := placeOf(item.Key)
		if wrong != nil || place != objects && place != archived {
			continue
		}
		if _, text, wrong := unpack(item.Value); wrong == nil {
			files = append(files, File{key, place == archived, text})
		}
	}
	return files, at, err
}
