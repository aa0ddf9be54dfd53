//go:build linux

package serve

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
)

func FuzzTarget(f *testing.F) {
	for _, path := range []string{"tasks", "tasks/form", "namespaces/shop/tasks/form/status", "namespaces/tasks", "", "/", "tasks//status"} {
		f.Add(objectsPath + path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		if target, known := parseTarget(path); known {
			assert.NotNil(t, target.kind)
			assert.NotContains(t, target.name, "/")
			assert.True(t, strings.HasPrefix(path, objectsPath))
		}
	})
}

func FuzzRequest(f *testing.F) {
	for _, query := range []string{
		"watch=true&resourceVersion=7&timeoutSeconds=1", "sendInitialEvents=true&allowWatchBookmarks=1", "labelSelector=a+in+(b,c),!d", "fieldSelector=status.phase!%3Dx",
		"includeObject=Object&form=printed", "sortBy={.spec.priority}", "kind=tasks&key=mems/a",
	} {
		f.Add(query, asTable)
	}
	f.Fuzz(func(t *testing.T, query, accept string) {
		v, err := url.ParseQuery(query)
		if err != nil {
			return
		}
		if o, err := ReadListOptions(v, accept); err == nil {
			assert.GreaterOrEqual(t, o.Timeout, time.Duration(0))
		}
		if choice, err := queries.ReadFind(v).Choice(); err == nil {
			choice.Matches(&queries.Entry{Key: resources.Key{Kind: resources.Tasks, Name: "a"}})
		}
	})
}
