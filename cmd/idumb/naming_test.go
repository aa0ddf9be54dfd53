package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
)

func key(kind, name string) resources.Key { return resources.Key{Kind: kind, Name: name} }

func TestKeys(t *testing.T) {
	a, b := key(resources.Tasks, "a"), key(resources.Tasks, "b")
	for _, tt := range []struct {
		name string
		in   []string
		want []resources.Key
		err  string
	}{
		{"kind and name", []string{"task", "a"}, []resources.Key{a}, ""},
		{"several names", []string{"tn", "a", "b"}, []resources.Key{a, b}, ""},
		{"with a slash", []string{"tasks/a", "task.idumb.dev/b", "mem/c"}, []resources.Key{a, b, key(resources.Mems, "c")}, ""},
		{"the only one of its kind", []string{"config"}, []resources.Key{key(resources.Configs, "config")}, ""},
		{"nothing", nil, nil, "say which object"},
		{"a kind alone", []string{"task"}, nil, "say which task: task NAME"},
		{"a typo", []string{"taks", "a"}, nil, "the store doesn't have a resource type \"taks\"\nDid you mean \"tasks\"?"},
		{"nothing near", []string{"pods", "a"}, nil, `the store doesn't have a resource type "pods"`},
		{"both forms", []string{"task", "mem/a"}, nil, "no need to specify a resource type"},
		{"two slashes", []string{"task/a/b"}, nil, "must have a single resource and name"},
		{"half a name", []string{"task/"}, nil, "must have a single resource and name"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := parseKeys(tt.in)
			if tt.err != "" {
				require.ErrorContains(t, err, tt.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestParse(t *testing.T) {
	all, err := parseRequest([]string{"all"})
	require.NoError(t, err)
	assert.Len(t, all.Kinds, len(resources.Kinds()))
	assert.True(t, all.Several())

	two, err := parseRequest([]string{"task,wp,tn"})
	require.NoError(t, err)
	assert.Len(t, two.Kinds, 2, "each kind once")
	assert.False(t, two.One())

	one, err := parseRequest([]string{"task", "a"})
	require.NoError(t, err)
	assert.True(t, one.One())
	assert.False(t, one.Several())

	mixed, err := parseRequest([]string{"task/a", "mem/b"})
	require.NoError(t, err)
	assert.True(t, mixed.Several())
}
