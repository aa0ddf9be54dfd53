package kube

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// applied keeps what clients want kept of objects and what files, which people share, shall not
// hold: kubectl's own annotations, and what each manager applied last. Its methods may be called by
// several goroutines.
type applied struct {
	root layout.Root

	mu    sync.Mutex
	known map[resources.Key]kept // nil: not read yet
}

// kept are the annotations of an object of that uid: another one of the same name has none.
type kept struct {
	UID         string            `json:"uid"`
	Annotations map[string]string `json:"annotations"`
}

// Folders of applied.
const (
	keptDir     = layout.AppliedDir + "/annotations"
	managersDir = layout.AppliedDir + "/managers"
)

func keptFile(key resources.Key) string { return keptDir + "/" + key.String() + ".json" }

// lastFile holds what a manager, whose name anybody may choose, applied last.
func lastFile(manager string, key resources.Key) string {
	return managersDir + "/" + resources.NameOfID(manager) + "/" + key.String() + ".json"
}

// annotations are those kept of an object of that uid.
func (a *applied) annotations(key resources.Key, uid string) map[string]string {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.load()
	if k := a.known[key]; k.UID == uid {
		return k.Annotations
	}
	return nil
}

// load reads all that is kept, once: nobody else writes it.
func (a *applied) load() {
	if a.known != nil {
		return
	}
	a.known = map[resources.Key]kept{}
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
				a.known[key] = k
			}
		}
	}
}

// keep keeps the annotations of an object; none: nothing is kept.
func (a *applied) keep(key resources.Key, uid string, annotations map[string]string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.load()
	if len(annotations) == 0 {
		if _, known := a.known[key]; !known {
			return nil
		}
		delete(a.known, key)
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
	a.known[key] = k
	return nil
}

// last is what a manager applied last; nil for nothing.
func (a *applied) last(manager string, key resources.Key) []byte {
	if resources.CheckName(key.Name) != nil {
		return nil
	}
	data, _, err := a.root.Read(lastFile(manager, key), layout.MaxSpec)
	if err != nil {
		return nil
	}
	return data
}

// keepLast keeps what a manager applied.
func (a *applied) keepLast(manager string, key resources.Key, document []byte) error {
	if err := a.root.Replace(lastFile(manager, key), document); err != nil {
		return fmt.Errorf("keep what %s applied to %s: %w", resources.NameOfID(manager), key, err)
	}
	return nil
}

// forget forgets an object that is gone.
func (a *applied) forget(key resources.Key) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.load()
	delete(a.known, key)
	_ = a.root.Remove(keptFile(key))
	managers, _ := a.root.Names(managersDir)
	for _, manager := range managers {
		_ = a.root.Remove(lastFile(manager, key))
	}
}
