package filestore

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources"
)

// Objects come out by name, whatever the index says of their places.
func TestRanked(t *testing.T) {
	type put struct {
		name string
		rank int
	}
	for _, test := range []struct {
		name string
		size int // of the index
		puts []put
		want string
	}{
		{"none", 0, nil, ""},
		{"as the index has them", 3, []put{{"c", 2}, {"a", 0}, {"b", 1}}, "abc"},
		{"one is gone", 3, []put{{"c", 2}, {"a", 0}}, "ac"},
		{"new ones", 2, []put{{"e", unranked}, {"d", 1}, {"a", unranked}, {"b", 0}, {"c", unranked}}, "abcde"},
		{"all new", 0, []put{{"b", unranked}, {"a", unranked}}, "ab"},
		{"places that cannot be", 2, []put{{"b", 7}, {"c", 1}, {"a", 1}}, "abc"},
	} {
		t.Run(test.name, func(t *testing.T) {
			kind, _ := resources.KindOf(resources.Tasks)
			r := ranked{placed: make([]resources.Object, test.size)}
			for i, o := range kind.NewMany(len(test.puts)) {
				o.Head().Metadata.Name = test.puts[i].name
				r.put(o, test.puts[i].rank)
			}
			got := ""
			for _, o := range r.sorted() {
				got += o.Key().Name
			}
			assert.Equal(t, test.want, got)
		})
	}
}
