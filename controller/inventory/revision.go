package inventory

import (
	"cmp"
	"context"

	"github.com/idumb-dev/idumb/controller/store/githistory"
	"github.com/idumb-dev/idumb/resources/source"
)

// RevisionIndex is the index of a commit. It must be used by one goroutine at a time.
// The caller must close it.
type RevisionIndex struct {
	*githistory.Tree
	cache *cache
	facts map[string]source.Packed
}

// Revision returns the index of a commit, branch or tag. Cached contents are not read
// again.
func (i *Inventory) Revision(ctx context.Context, revision string) (*RevisionIndex, error) {
	t, err := githistory.OpenTree(ctx, i.root, revision)
	if err != nil {
		return nil, err
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.asked()
	i.cache.load()
	return &RevisionIndex{t, i.cache, map[string]source.Packed{}}, nil
}

// Facts returns the trimmed facts of a file. They are empty if its language is
// unknown.
func (p *RevisionIndex) Facts(path string) source.Facts {
	language, blob := source.LanguageOf(path), p.Blob(path)
	if language == "" || blob == "" {
		return source.Facts{}
	}
	facts := cmp.Or(p.facts[path], p.cache.get(language+" "+blob))
	if facts == "" {
		facts = p.scan(path, language+" "+blob)
	}
	p.facts[path] = facts
	return facts.Facts()
}

// scan reads a file of the commit and stores its facts in the cache.
func (p *RevisionIndex) scan(path, key string) source.Packed {
	data, err := p.Read(path)
	if err != nil {
		return unreadableFacts(path, "not read: larger than 1 MiB, or not in this clone")
	}
	facts := source.Pack(source.Outline(path, data))
	p.cache.store(key, facts)
	return facts
}

// Removed returns the files that the history of a revision removed, or of the
// working tree for "": see githistory.Removed.
func (i *Inventory) Removed(ctx context.Context, revision string) map[string]bool {
	return githistory.Removed(ctx, i.root, revision)
}
