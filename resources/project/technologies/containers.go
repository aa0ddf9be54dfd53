package technologies

import (
	"os"
	"strings"

	"github.com/idumb-dev/idumb/resources/project/manifest"
)

// dockerfile reads the base images of a Dockerfile. It expands arguments with a default
// value.
func (r *reading) dockerfile() {
	arguments, stages := map[string]string{}, map[string]bool{}
	r.add("runtime", "docker", "", Infra, 1)
	r.lines(func(line string, number int) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			return
		}
		switch strings.ToUpper(fields[0]) {
		case "ARG":
			name, value, _ := strings.Cut(fields[1], "=")
			arguments[name] = strings.Trim(value[:min(len(value), maxImage)], `"'`)
		case "FROM":
			for fields = fields[1:]; len(fields) > 0 && strings.HasPrefix(fields[0], "--"); fields = fields[1:] {
			}
			if len(fields) == 0 {
				return
			}
			if image := substitute(fields[0], arguments); !stages[image] {
				r.image(image, Build, number)
			}
			if len(fields) == 3 {
				stages[fields[2]] = true
			}
		case "COPY":
			if from, ok := strings.CutPrefix(fields[1], "--from="); ok && !stages[from] && strings.ContainsAny(from, "/:") {
				r.image(substitute(from, arguments), Build, number)
			}
		}
	})
}

// maxImage is the maximum length of an image name.
const maxImage = 500

// substitute expands ${NAME}, ${NAME:-default} and $NAME. Unknown names expand to "".
func substitute(text string, values map[string]string) string {
	if len(text) > maxImage {
		return ""
	}
	return os.Expand(text, func(name string) string {
		name, usual, _ := strings.Cut(name, ":-")
		if value := values[name]; value != "" {
			return value
		}
		return usual
	})
}

// image adds an image reference registry/name:tag@sum. The version is the numeric prefix of
// the tag: 17 for "17-alpine", 1.2.3 for "v1.2.3", and "" for "latest".
func (r *reading) image(text string, role role, line int) {
	text = firstOf(text, "@")
	name, tag := text, ""
	if i := strings.LastIndexByte(text, ':'); i > strings.LastIndexByte(text, '/') {
		name, tag = text[:i], strings.TrimPrefix(text[i+1:], "v")
	}
	version := tag[:len(tag)-len(strings.TrimLeft(tag, "0123456789."))]
	r.add("image", name, strings.TrimSuffix(version, "."), role, line)
}

// compose reads the images of the services in a Docker Compose file.
func (r *reading) compose() {
	r.add("runtime", "docker-compose", "", Infra, 1)
	for _, service := range r.tree(r.file).Get("services").List() {
		if n := service.Get("image"); n != nil {
			r.image(substitute(n.Value, nil), Runtime, n.Line)
		}
	}
}

// setups maps settings of actions to the runtimes that they install.
var setups = map[string]string{
	"node-version": "nodejs", "python-version": "python", "go-version": "go", "java-version": "java", "ruby-version": "ruby", "php-version": "php", "dotnet-version": "dotnet",
	"deno-version": "deno", "bun-version": "bun",
}

// workflow reads the actions of a workflow, the runtimes that they install, and the images
// of jobs and services.
func (r *reading) workflow() {
	r.add("runtime", "github-actions", "", Infra, 1)
	for _, job := range r.tree(r.file).Get("jobs").List() {
		for _, service := range append([]*manifest.Node{job.Get("container")}, job.Get("services").List()...) {
			if n := service.Get("image"); n != nil {
				r.image(n.Value, Test, n.Line)
			} else if service != nil && service.Value != "" {
				r.image(service.Value, Test, service.Line)
			}
		}
		for _, step := range job.Get("steps").List() {
			n := step.Get("uses")
			if n == nil || strings.HasPrefix(n.Value, ".") {
				continue
			}
			name, version, _ := strings.Cut(n.Value, "@")
			r.add("action", name, version, Infra, n.Line)
			for _, n := range step.Get("with").List() {
				if name := setups[n.Key]; name != "" && n.Value != "" && strings.Trim(n.Value, "0123456789.x") == "" {
					r.add("runtime", name, n.Value, Build, n.Line)
				}
			}
		}
	}
}
