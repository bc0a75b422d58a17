// Replays writes on Kubernetes' own field manager: scenarios come in as lines of JSON, and what each step leaves
// behind goes out in the same way.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
)

type step struct {
	Op      string          `json:"op"`
	Manager string          `json:"manager"`
	Force   bool            `json:"force"`
	Object  json.RawMessage `json:"object"`
}

type scenario struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Steps      []step `json:"steps"`
}

type outcome struct {
	Error         string                      `json:"error,omitempty"`
	ManagedFields []metav1.ManagedFieldsEntry `json:"managedFields,omitempty"`
	Object        runtime.Object              `json:"object,omitempty"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var each scenario
		if err := json.Unmarshal(lines.Bytes(), &each); err != nil {
			panic(err)
		}
		if err := out.Encode(replay(each)); err != nil {
			panic(err)
		}
	}
}

func replay(s scenario) []outcome {
	group, err := schema.ParseGroupVersion(s.APIVersion)
	if err != nil {
		panic(err)
	}
	gvk := group.WithKind(s.Kind)
	converter := applyconfigurations.NewTypeConverter(scheme.Scheme)
	manager, err := managedfields.NewDefaultFieldManager(
		converter, scheme.Scheme, scheme.Scheme, scheme.Scheme, gvk, group, "", nil)
	if err != nil {
		panic(err)
	}
	live, err := scheme.Scheme.New(gvk)
	if err != nil {
		panic(err)
	}
	live.GetObjectKind().SetGroupVersionKind(gvk)
	var outcomes []outcome
	for _, each := range s.Steps {
		next, err := perform(manager, live, each, gvk)
		if err != nil {
			outcomes = append(outcomes, outcome{Error: err.Error()})
			continue
		}
		live = next
		outcomes = append(outcomes, shown(live))
	}
	return outcomes
}

func perform(manager *managedfields.FieldManager, live runtime.Object, each step, gvk schema.GroupVersionKind) (runtime.Object, error) {
	if each.Op == "apply" {
		patch := &unstructured.Unstructured{}
		if err := json.Unmarshal(each.Object, &patch.Object); err != nil {
			return nil, err
		}
		return identified(manager.Apply(live.DeepCopyObject(), patch, each.Manager, each.Force))
	}
	sent, err := scheme.Scheme.New(gvk)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(each.Object, sent); err != nil {
		return nil, err
	}
	sent.GetObjectKind().SetGroupVersionKind(gvk)
	return identified(manager.UpdateNoErrors(live.DeepCopyObject(), sent, each.Manager), nil)
}

// A stored object has a UID: that is how the field manager knows it from a new one.
func identified(object runtime.Object, err error) (runtime.Object, error) {
	if err != nil {
		return nil, err
	}
	accessor, err := meta.Accessor(object)
	if err != nil {
		return nil, err
	}
	accessor.SetUID("stored")
	return object, nil
}

func shown(live runtime.Object) outcome {
	object := live.DeepCopyObject()
	accessor, err := meta.Accessor(object)
	if err != nil {
		return outcome{Error: fmt.Sprint(err)}
	}
	fields := accessor.GetManagedFields()
	for i := range fields {
		fields[i].Time = nil
	}
	accessor.SetManagedFields(nil)
	return outcome{ManagedFields: fields, Object: object}
}
