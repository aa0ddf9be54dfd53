package etcdengine

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What the protocol calls a key and what etcd does lead to each other, and a range misses no key that
// begins so.
func TestKeys(t *testing.T) {
	e := &Engine{prefix: "/idumb/acme/shop/"}
	for name, key := range map[string]string{
		"claims/login": "c/login", "state/o/tasks/p/login": "o/tasks/p/login", "state/a/tasks/p/login": "a/tasks/p/login",
		"state/n/tasks/login": "n/tasks/login", "state/other": "state/other", "other/a": "other/a",
	} {
		assert.Equal(t, e.prefix+key, e.key(name))
		back, ours := e.protocolKey(e.prefix + key)
		assert.True(t, ours)
		assert.Equal(t, name, back)
		for n := range len(name) + 1 {
			assert.True(t, strings.HasPrefix(e.key(name), e.rangeOf(name[:n])), "%s is listed by %q", name, name[:n])
		}
	}
	for _, key := range []string{e.prefix + versionKey, e.prefix + turnKey, "/idumb/acme/other/c/x"} {
		_, ours := e.protocolKey(key)
		assert.False(t, ours, key)
	}
}
