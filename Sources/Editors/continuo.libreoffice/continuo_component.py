# SPDX-License-Identifier: MIT
"""What LibreOffice knows of this extension: the job that begins with the first window, and the commands of menus and
infobars."""
import unohelper
from com.sun.star.frame import XDispatch, XDispatchProvider
from com.sun.star.lang import XInitialization, XServiceInfo
from com.sun.star.task import XJob

from continuo_writer import application


class Begin(unohelper.Base, XJob, XServiceInfo):
    name = "org.continuo.writer.Begin"

    def __init__(self, context, *_):
        self.context = context

    def execute(self, _arguments):
        application.begin(self.context)

    def getImplementationName(self):
        return self.name

    def supportsService(self, name):
        return name == self.name

    def getSupportedServiceNames(self):
        return (self.name,)


class Commands(unohelper.Base, XInitialization, XDispatchProvider, XDispatch, XServiceInfo):
    name = "org.continuo.writer.Commands"

    def __init__(self, context, *_):
        self.context = context

    def initialize(self, _arguments):
        pass

    def queryDispatch(self, url, _target, _flags):
        return self if url.Complete.startswith("org.continuo.writer:") else None

    def queryDispatches(self, requests):
        return tuple(self.queryDispatch(each.FeatureURL, each.FrameName, each.SearchFlags) for each in requests)

    def dispatch(self, url, _arguments):
        application.begin(self.context).perform(url.Complete.partition(":")[2])

    def addStatusListener(self, _listener, _url):
        pass

    def removeStatusListener(self, _listener, _url):
        pass

    def getImplementationName(self):
        return self.name

    def supportsService(self, name):
        return name == "com.sun.star.frame.ProtocolHandler"

    def getSupportedServiceNames(self):
        return ("com.sun.star.frame.ProtocolHandler",)


g_ImplementationHelper = unohelper.ImplementationHelper()
g_ImplementationHelper.addImplementation(Begin, Begin.name, (Begin.name,))
g_ImplementationHelper.addImplementation(Commands, Commands.name, ("com.sun.star.frame.ProtocolHandler",))
