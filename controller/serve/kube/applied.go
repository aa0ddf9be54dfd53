package kube

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// clientState stores client data about objects that must not be in the shared
// files: kubectl's own annotations, and the last applied document of each
// manager. It is safe for concurrent use.
type clientState struct {
	root layout.Root

	mu     sync.Mutex
	loaded map[resources.Key]kept // nil before loading
}

// kept holds the annotations of the object with that UID. A new object of the
// same name has none.
type kept struct {
	UID         string            `json:"uid"`
	Annotations map[string]string `json:"annotations"`
}

// Directories of clientState.
const (
	keptDir     = layout.AppliedDir + "/annotations"
	managersDir = layout.AppliedDir + "/managers"
)

// keptFile returns the file with the annotations that clients set on an object.
func keptFile(key resources.Key) string { return keptDir + "/" + key.String() + ".json" }

// lastFile returns the file with the last applied document of a manager.
// Clients may choose any manager name.
func lastFile(manager string, key resources.Key) string {
	return managersDir + "/" + resources.NameOfID(manager) + "/" + key.String() + ".json"
}

// annotations returns the annotations of the object with that UID.
func (a *clientState) annotations(key resources.Key, uid string) map[string]string {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.load()
	if k := a.loaded[key]; k.UID == uid {
		return k.Annotations
	}
	return nil
}

// load reads all annotations once. No other process writes them.
func (a *clientState) load() {
	if a.loaded != nil {
		return
	}
	a.loaded = map[resources.Key]kept{}
	for _, kind := range resources.Kinds() {
		names, err := a.root.Names(keptDir + "/" + kind.Plural)
		if err != nil {
			continue
		}
		for _, file := range names {
			key := resources.Key{Kind: kind.Plural, Name: strings.TrimSuffix(file, ".json")}
			data, _, err := a.root.Read(keptFile(key), layout.MaxSpec)
			var k kept
			if resources.CheckName(key.Name) == nil && err == nil && json.Unmarshal(data, &k) == nil {
				a.loaded[key] = k
			}
		}
	}
}

// keep stores the annotations of an object. Without annotations it removes the
// stored ones.
func (a *clientState) keep(key resources.Key, uid string, annotations map[string]string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.load()
	if len(annotations) == 0 {
		if _, known := a.loaded[key]; !known {
			return nil
		}
		delete(a.loaded, key)
		return a.root.Remove(keptFile(key))
	}
	k := kept{uid, annotations}
	data, err := json.Marshal(k)
	if err == nil {
		err = a.root.Replace(keptFile(key), data)
	}
	if err != nil {
		return fmt.Errorf("keep the annotations of %s in %s: %w", key, keptFile(key), err)
	}
	a.loaded[key] = k
	return nil
}

// last returns the last applied document of a manager, or nil.
func (a *clientState) last(manager string, key resources.Key) []byte {
	if resources.CheckName(key.Name) != nil {
		return nil
	}
	data, _, err := a.root.Read(lastFile(manager, key), layout.MaxSpec)
	if err != nil {
		return nil
	}
	return data
}

// keepLast stores the applied document of a manager.
func (a *clientState) keepLast(manager string, key resources.Key, document []byte) error {
	if err := a.root.Replace(lastFile(manager, key), document); err != nil {
		return fmt.Errorf("keep what %s applied to %s: %w", resources.NameOfID(manager), key, err)
	}
	return nil
}

// forget removes the data of a deleted object.
func (a *clientState) forget(key resources.Key) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.load()
	delete(a.loaded, key)
	_ = a.root.Remove(keptFile(key))
	managers, _ := a.root.Names(managersDir)
	for _, manager := range managers {
		_ = a.root.Remove(lastFile(manager, key))
	}
}
