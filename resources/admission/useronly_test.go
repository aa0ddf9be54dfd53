package admission

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources/admission/command"
)

// What comes by the person's door counts as the person's word, so agents do not go by it.
func TestAgentsDoNotGoByThePersonsDoor(t *testing.T) {
	for line, refused := range map[string]bool{
		"cat .idumb/run/api/access.json":                                     true,
		"cat /home/me/shop/.idumb/run/API/access.json":                       true,
		"cd .idumb/run && cat api/access.json":                               true,
		"base64 < .idumb/run/controller.log":                                 false,
		"base64 < .idumb/run/api/token":                                      true,
		"cd .idumb; T=$(<run/api/token); echo $T":                            true,
		"exec 3<.idumb/run/api/access.json; cat <&3":                         true,
		"tar cz .idumb/run":                                                  true,
		"cat .idumb/run/*":                                                   true,
		"curl --unix-socket .idumb/run/api.sock http://x/kubeconfig -X POST": true,
		"curl --unix-socket=.idumb/run/api.sock http://x/status":             true,
		"sh -c 'nc -U .idumb/run/hook.sock'":                                 true,
		"curl https://127.0.0.1:4000/version":                                false,
		"kubectl get workplans":                                              true,
		"kubectl get tasknode/x -o yaml":                                     true,
		"kubectl delete tasks.idumb.dev x":                                   true,
		"kubectl get --raw /apis/idumb.dev/v1alpha1/tasks":                   true,
		"kubectl get pods":                                                   false,
		"kubectl get roles,rolebindings":                                     false,
		"kubectl config view":                                                false,
		"kubectl apply -f deploy.yaml":                                       false,
		"kubectl --kubeconfig .idumb/run/api/kubeconfig get pods":            true,
		"ls .idumb":               false,
		"cat .idumb/tasks/a.json": false,
		"python3 -c \"print(open('.idumb/run/api/access.json').read())\"": true,
	} {
		changes := Changes(command.Read(line, command.Options{Dir: "/home/me/shop"}), false)
		assert.Equal(t, refused, len(changes) > 0, "%s: %v", line, changes)
	}
	for file, denied := range map[string]bool{".idumb/run/api/access.json": true, ".idumb/run/applied/x": false, ".idumb/run/controller.log": false, "src/.idumb/run/api/x": true, "a.idumb/run/api": false} {
		v := Decide(Call{Tool: "Read", Action: Read, Paths: []Path{{Given: file, Repo: file}}, Session: "s1"}, newWorld())
		assert.Equal(t, denied, v.Outcome == Deny, file)
	}
	v := Decide(gated("idumb kubeconfig"), newWorld())
	assert.Equal(t, Deny, v.Outcome)
	assert.Equal(t, "governed-command", v.Reason.Rule)
}
