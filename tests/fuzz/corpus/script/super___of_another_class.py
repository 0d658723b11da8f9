class A: pass
class B: pass
super(A, B()).__init__()
