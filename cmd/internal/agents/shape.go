package agents

import "fmt"

// checkShape reports whether our entries can be put into a document: something
// else may stand where an object or a list has to be.
func (s settings) checkShape(d document) error {
	if len(s.hooks) > 0 {
		if err := isObject(d, []string{"hooks"}); err != nil {
			return err
		}
		for _, event := range d.at([]any{"hooks"}).members {
			if event.value.kind != '[' {
				return fmt.Errorf("has hooks.%s that is no list; mend it first, it was not touched", event.key)
			}
		}
	}
	for _, e := range s.members {
		for i := 1; i < len(e.path); i++ {
			if err := isObject(d, e.path[:i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// isObject reports an error if there is something at a path that is no object.
func isObject(d document, path []string) error {
	if n := d.at(steps(path)); n.exists() && n.kind != '{' {
		return fmt.Errorf("has %s that is no object; mend it first, it was not touched", entry{path: path}.name())
	}
	return nil
}
