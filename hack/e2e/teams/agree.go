package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
)

// kinds are those that are compared.
var kinds = []string{"workplans", "tasks", "anchors", "mems", "roles", "chainrules", "triggers", "delegations", "config"}

// agree brings everybody to the same commit, and waits until all say the same.
func (t *team) agree() error {
	for range 2 { // what the last one pushed, the first ones pull
		for _, c := range t.clones {
			if err := errors.Join(c.push(), c.clean()); err != nil {
				return fmt.Errorf("at the end, in %s: %w", c.name, err)
			}
		}
	}
	for _, c := range t.clones {
		if err := errors.Join(c.git("pull", "-q", "--ff-only", "origin", "main"), c.clean()); err != nil {
			return fmt.Errorf("at the end, in %s: %w", c.name, err)
		}
	}
	began := time.Now()
	objects := 0
	for _, kind := range kinds {
		err := drive.Eventually(context.Background(), 20*time.Second, func() (err error) {
			n, err := t.same(kind)
			if err == nil {
				objects += n
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	fmt.Printf("%d clones agree about %d objects, %.1f s after the last pull\n", len(t.clones), objects, time.Since(began).Seconds())
	return nil
}

// same reports where the clones differ about the objects of a kind, and how many there are.
func (t *team) same(kind string) (int, error) {
	first, err := t.clones[0].say(kind)
	if err != nil {
		return 0, err
	}
	for _, c := range t.clones[1:] {
		other, err := c.say(kind)
		if err != nil {
			return 0, err
		}
		for name := range other {
			if _, there := first[name]; !there {
				return 0, fmt.Errorf("%s %s is in %s and not in %s", kind, name, c.name, t.clones[0].name)
			}
		}
		for name, text := range first {
			if other[name] != text {
				return 0, fmt.Errorf("%s %s is in %s\n%s\nand in %s\n%s", kind, name, t.clones[0].name, text, c.name, other[name])
			}
		}
	}
	return len(first), nil
}

// say is what a clone says of all objects of a kind, by name, but for what is of its machine.
func (c *clone) say(kind string) (map[string]string, error) {
	out, err := c.repo.Idumb("get", kind, "-o", "json")
	if err != nil {
		return nil, err
	}
	var list map[string]any
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		return nil, err
	}
	items, isList := list["items"].([]any)
	if !isList {
		items = []any{list}
	}
	said := map[string]string{}
	for _, item := range items {
		o, _ := item.(map[string]any)
		meta, _ := o["metadata"].(map[string]any)
		delete(meta, "resourceVersion")
		delete(meta, "managedFields")
		o["status"] = timeless(o["status"])
		text, err := json.MarshalIndent(o, "", " ")
		if err != nil {
			return nil, err
		}
		said[fmt.Sprint(meta["name"])] = string(text)
	}
	return said, nil
}

// timeless leaves out of a status when something was seen, and what is in the logs of one machine.
func timeless(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			if strings.HasSuffix(key, "At") || strings.HasSuffix(key, "Time") || strings.HasSuffix(key, "Since") || key == "checkpoints" {
				delete(v, key)
				continue
			}
			v[key] = timeless(value)
		}
	case []any:
		for i := range v {
			v[i] = timeless(v[i])
		}
	}
	return v
}
