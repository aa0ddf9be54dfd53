package queries

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

func memEntries(names ...string) (entries []*Entry) {
	kind, _ := resources.KindOf(resources.Mems)
	for _, name := range names {
		o := kind.New().(*resources.Mem)
		o.Metadata.Name, o.Spec.Content = name, "<b>\n,]}\u2028"
		entries = append(entries, &Entry{Key: o.Key(), Object: o, Status: &resources.MemStatus{}})
	}
	return entries
}

// read goes through a list and returns its items' names.
func read(t *testing.T, data []byte) (l List, names []string, err error) {
	l, err = ReadList(bytes.NewReader(data))
	if err != nil {
		return l, nil, err
	}
	for e, err := range l.Entries() {
		if err != nil {
			return l, names, err
		}
		assert.Equal(t, "<b>\n,]}\u2028", e.Object.(*resources.Mem).Spec.Content)
		names = append(names, e.Key.Name)
	}
	return l, names, nil
}

func TestAListIsReadAsItWasSent(t *testing.T) {
	for _, want := range [][]string{nil, {"a"}, {"a", "b", "c"}} {
		sent := ListOf(memEntries(want...)...)
		sent.Missing = []string{"mems/x"}
		var b bytes.Buffer
		require.NoError(t, Send(&b, sent))
		var whole map[string]any
		require.NoError(t, json.Unmarshal(b.Bytes(), &whole), "it is JSON for everybody else")
		assert.Len(t, whole["items"], len(want))
		got, names, err := read(t, b.Bytes())
		require.NoError(t, err)
		assert.Equal(t, want, names)
		assert.Equal(t, want == nil, got.Empty)
		assert.Equal(t, sent.Missing, got.Missing)
		for cut := range b.Len() - len("\n]}\n") { // half an answer does not look like a whole one
			_, _, err := read(t, b.Bytes()[:cut])
			assert.Error(t, err, "%d of %d", cut, b.Len())
		}
	}
}

func FuzzReadList(f *testing.F) {
	var b bytes.Buffer
	require.NoError(f, Send(&b, ListOf(memEntries("a", "b")...)))
	f.Add(b.Bytes())
	f.Add([]byte("{\"items\":[\n]}\n"))
	f.Add([]byte("{},\"items\":[\n,\n]}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := ReadList(bytes.NewReader(data))
		if err != nil {
			return
		}
		n := 0
		for e, err := range l.Entries() {
			assert.True(t, (e == nil) == (err != nil))
			n++
		}
		assert.Equal(t, l.Empty, n == 0)
	})
}
