package questions

import (
	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
)

// NewReader returns the controller's cache as a graph.Reader that keeps indexes.
func NewReader(client controller.Client) graph.Reader { return reader{client} }

type reader struct{ controller.Client }

// Get returns the last good version of an object.
func (r reader) Get(key resources.Key) (o resources.Object, broken bool) {
	o, found := r.Client.Get(key)
	if !found {
		return nil, r.Exists(key)
	}
	_, broken = r.Problem(key)
	return o, broken
}

// Names returns the names of a kind's objects.
func (r reader) Names(kind string) []string {
	keys := r.List(kind)
	names := make([]string, len(keys))
	for i, key := range keys {
		names[i] = key.Name
	}
	return names
}

// Mentioning returns all names: what holds which word is not known. Whoever asks for many
// objects finds them by an index.
func (r reader) Mentioning(kind string, _ ...string) []string { return r.Names(kind) }
