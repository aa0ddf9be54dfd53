package controllerprocess

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
)

// What was only looked at, derived or is not shared is no change of the objects; each change is for the
// next exchange, and is noted once before that.
func TestChangedObjects(t *testing.T) {
	var d changeSet
	old, now := &resources.Task{}, &resources.Task{}
	now.Source().Revision = "2"
	login, logout := resources.Key{Kind: resources.Tasks, Name: "login"}, resources.Key{Kind: resources.Tasks, Name: "logout"}
	d.add(controller.Change{Resync: true})
	d.add(controller.Change{Key: login, New: now, Initial: true})
	d.add(controller.Change{Key: login, Old: old, New: old, Resync: true})
	d.add(controller.Change{Key: login, Old: old, New: now, StatusOnly: true})
	d.add(controller.Change{Key: resources.Key{Kind: resources.Sessions, Name: "s"}, New: &resources.Session{}})
	assert.Empty(t, d.exchanged())
	assert.Empty(t, d.noted())

	d.add(controller.Change{Key: logout, New: now})
	d.add(controller.Change{Key: login, Old: old, New: now})
	d.add(controller.Change{Key: login, Old: now})
	assert.Equal(t, []resources.Key{login, logout}, d.noted())
	assert.Empty(t, d.noted())
	assert.Equal(t, map[resources.Key]string{login: "", logout: "2"}, d.exchanged())
	assert.Empty(t, d.exchanged())
	d.add(controller.Change{Key: login, New: now})
	assert.Equal(t, map[resources.Key]string{login: "2"}, d.exchanged())
	assert.Empty(t, d.noted(), "an exchange notes what it sends")
}
